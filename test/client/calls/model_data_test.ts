import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { extractEpochs } from "../../../src/frames/frame.ts";
import type { DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError, NoDataError } from "../../../src/api/errors.ts";
import { modelData, type ModelDataOptions } from "../../../src/client/calls/model_data.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { typesOf } from "../_frames.ts";
import { type Handler, withServer } from "../_local_server.ts";

const HEADER = "time,wind_speed,wind_direction,temperature,air_density,power";

/** Model data with these timestamps; the service names the zone unless it is `null`. */
function answerHours(
  stamps: readonly string[],
  zone: string | null = "Europe/Copenhagen",
): Response {
  const rows = stamps.map((stamp, i) => `${stamp},${5 + i / 10},240,9.5,1.24,${300 + i}`);
  const response = new Response([HEADER, ...rows, ""].join("\n"), {
    headers: { "content-type": "text/csv" },
  });
  if (zone !== null) response.headers.set("vindkit-time-zone", zone);
  return response;
}

const details = {
  turbine_id: "T1",
  name: "One",
  latitude: 55.6,
  longitude: 7.9,
  hub_height: 80,
  rated_power: 2300,
  rotor_diameter: 92,
  time_zone: "Asia/Kolkata",
  training_start: null,
  training_end: null,
  data_ready: true,
  last_wind_index: null,
  power_curve: null,
};

/** Answers model data without the zone, and the details of the turbine. */
function answerWithoutZone(stamps: readonly string[], timeZone = details.time_zone): Handler {
  return (request) =>
    request.url.includes("/details/")
      ? Response.json({ ...details, time_zone: timeZone })
      : answerHours(stamps, null);
}

function listInstants(frame: DataFrame): string[] {
  return frame.getColumn("time").toArray().map((stamp) => new Date(Number(stamp)).toISOString());
}

/** The 25 hours of the day on which summer time ends, with offset or without. */
function listOctoberHours(offset: boolean): string[] {
  const start = Temporal.ZonedDateTime.from("2024-10-27T00:00[Europe/Copenhagen]");
  return Array.from({ length: 25 }, (_, hours) => {
    const stamp = start.add({ hours });
    return offset ? stamp.toString({ timeZoneName: "never" }) : stamp.toPlainDateTime().toString();
  });
}

describe("modelData()", () => {
  it("always sends both dates", async () => {
    const cases: readonly [ModelDataOptions, string, string][] = [
      [{}, "1940-01-01", "2100-01-01"],
      [{ from: "2024-01-01" }, "2024-01-01", "2100-01-01"],
      [{ to: "2023-12-31" }, "1940-01-01", "2024-01-01"],
      [{ from: "2023-12", to: 2024 }, "2023-12-01", "2025-01-01"],
      [{ from: "2024-01-01", to: "2024-02-28" }, "2024-01-01", "2024-02-29"],
      [{ from: Temporal.PlainDate.from("2024-01-01") }, "2024-01-01", "2100-01-01"],
    ];
    await withServer(
      ({ url }) => answerHours([`${new URL(url).searchParams.get("start_date")}T00:00:00+01:00`]),
      async ({ connection, seen }) => {
        for (const [options, start, end] of cases) {
          await modelData("T1", { ...options, connection });
          const { query, path } = seen.at(-1)!;
          assertEquals([query.get("start_date"), query.get("end_date")], [start, end]);
          assert(path.startsWith("/wind-index/calibrated/model_data/T1?"), path);
        }
      },
    );
  });

  it("returns typed columns in the turbine's zone, which the service names", async () => {
    const stamps = ["2024-01-01T00:00:00+01:00", "2024-01-01T01:00:00+01:00"];
    await withServer(() => answerHours(stamps), async ({ connection, seen }) => {
      const frame = await modelData("T1", { connection });
      assertEquals(frame.columns, HEADER.split(","));
      assertStringIncludes(typesOf(frame)[0], "Europe/Copenhagen");
      assertEquals(typesOf(frame).slice(1), Array(5).fill("Float64"));
      assertEquals(listInstants(frame), ["2023-12-31T23:00:00.000Z", "2024-01-01T00:00:00.000Z"]);
      assertEquals(frame.getColumn("power").toArray(), [300, 301]);
      assertEquals(seen.length, 1, "the zone is in the answer: the details are not needed");
    });
  });

  it("fetches the details if the service does not name the zone", async () => {
    const stamps = ["2024-01-01T00:30:00+05:30"];
    await withServer(answerWithoutZone(stamps), async ({ connection, seen }) => {
      const frame = await modelData("T1", { connection });
      assertStringIncludes(typesOf(frame)[0], "Asia/Kolkata");
      assertEquals(listInstants(frame), ["2023-12-31T19:00:00.000Z"]);
      assertEquals(seen.map(({ path }) => path.split("?")[0]), [
        "/wind-index/calibrated/model_data/T1",
        "/wind-index/calibrated/details/T1",
      ]);
    });
  });

  it("reads local timestamps without offset", async () => {
    await withServer(answerWithoutZone(["2024-01-01 00:30"]), async ({ connection }) => {
      assertEquals(listInstants(await modelData("T1", { connection })), [
        "2023-12-31T19:00:00.000Z",
      ]);
    });
  });

  for (const offset of [true, false]) {
    it(`F36 keeps the repeated hour of October apart, ${offset ? "with" : "without"} offsets`, async () => {
      await withServer(() => answerHours(listOctoberHours(offset)), async ({ connection }) => {
        const instants = listInstants(await modelData("T1", { connection }));
        assertEquals(instants.length, 25);
        instants.forEach((instant, i) =>
          assertEquals(Date.parse(instant), Date.parse("2024-10-26T22:00Z") + i * 3_600_000)
        );
      });
    });
  }

  for (const zone of ["+05:30", "CEST", "Europe/Kopenhagen", ""]) {
    it(`F36 refuses the zone "${zone}", if timestamps have no offset`, async () => {
      await withServer(answerWithoutZone(["2024-01-01T00:00"], zone), async ({ connection }) => {
        const { message } = await assertRejects(
          () => modelData("T1", { connection }),
          DataFormatError,
        );
        assertStringIncludes(
          message,
          `The time zone of the turbine is ${
            JSON.stringify(zone)
          }, which is not an IANA time zone. Pass the time zone`,
        );
      });
    });
  }

  const named = {
    "GMT+1": "Etc/GMT-1",
    "+01:00": "Etc/GMT-1",
    "W. Europe Standard Time": "Europe/Berlin",
  };
  for (const [zone, known] of Object.entries(named)) {
    it(`F36 reads the zone "${zone}" as ${known}`, async () => {
      await withServer(answerWithoutZone(["2024-01-01T00:00"], zone), async ({ connection }) => {
        const frame = await modelData("T1", { connection });
        assertEquals(String(frame.schema.time), `DataType(Datetime(us,${known}))`);
        assertEquals(extractEpochs(frame, "time")[0], Date.parse("2023-12-31T23:00Z"));
      });
    });
  }

  it("F35 refuses hours of another turbine", async () => {
    const text = "turbine_id,time,wind_speed,power\nT7,2024-01-01T00:00:00Z,5,300\n";
    const answer = () => new Response(text, { headers: { "vindkit-time-zone": "Europe/London" } });
    await withServer(answer, async ({ connection }) => {
      const { message } = await assertRejects(
        () => modelData("T1", { connection }),
        DataFormatError,
      );
      assertStringIncludes(message, 'its turbine_id is "T7", not "T1" as requested');
    });
  });

  it("F35 leaves out hours of the days next to the requested range, and refuses hours further away", async () => {
    const span = { from: "2024-01-02", to: "2024-01-02" };
    for (const stamp of ["2024-01-01T00:00+01:00", "2024-01-03T23:00+01:00"]) {
      await withServer(() => answerHours([stamp]), async ({ connection }) => {
        await assertRejects(() => modelData("T1", { ...span, connection }), NoDataError);
      });
    }
    for (const stamp of ["2023-12-31T23:00+01:00", "2024-01-04T00:00+01:00", "2019-01-02T00:00Z"]) {
      await withServer(() => answerHours([stamp]), async ({ connection }) => {
        const call = () => modelData("T1", { ...span, connection });
        const { message } = await assertRejects(call, DataFormatError);
        assertStringIncludes(message, "but the request was for 2024-01-02 to 2024-01-03");
      });
    }
  });

  it("keeps additional columns of a service, and accepts any order", async () => {
    const text = "power;time;wind_speed;gust\n300;2024-01-01T00:00:00Z;5;9\n";
    const answer = () => new Response(text, { headers: { "vindkit-time-zone": "Europe/London" } });
    await withServer(answer, async ({ connection }) => {
      const frame = await modelData("T1", { connection });
      assertEquals(frame.columns, ["time", "wind_speed", "power", "gust"]);
      assertEquals(frame.getColumn("gust").toArray(), [9]);
    });
  });

  it("is typed even if it is empty", async () => {
    await withServer(() => answerHours([]), async ({ connection }) => {
      const frame = await modelData("T1", { connection });
      assertEquals([frame.height, frame.columns], [0, HEADER.split(",")]);
      assertStringIncludes(typesOf(frame)[0], "Europe/Copenhagen");
      assertEquals(typesOf(frame).slice(1), Array(5).fill("Float64"));
    });
  });

  it("F33 returns null for missing values", async () => {
    const text = `${HEADER}\n2024-01-01T00:00:00Z,NaN,,null,1.2,\n`;
    const answer = () => new Response(text, { headers: { "vindkit-time-zone": "Europe/London" } });
    await withServer(answer, async ({ connection }) => {
      const [row] = (await modelData("T1", { connection })).toRecords();
      assertEquals(
        [row.wind_speed, row.wind_direction, row.temperature, row.air_density, row.power],
        [null, null, null, 1.2, null],
      );
    });
  });

  it("F3 refuses a truncated row", async () => {
    const answer = () =>
      new Response(`${HEADER}\n2024-01-01T00:00:00Z,5,240,9.5,1.24,300\n2024-01-01T01:00`, {
        headers: { "vindkit-time-zone": "Europe/London" },
      });
    await withServer(answer, async ({ connection }) => {
      await assertRejects(() => modelData("T1", { connection }), DataFormatError, "line 3");
    });
  });

  it("records the parameters of the call", async () => {
    await withServer(() => answerHours(["2024-01-01T00:00:00+01:00"]), async ({ connection }) => {
      const frame = await modelData("T1", { from: "2024-01-01", to: "2024-01-31", connection });
      assertEquals(provenance(frame)[0].parameters, {
        turbine_id: "T1",
        start_date: "2024-01-01",
        end_date: "2024-02-01",
      });
    });
  });

  for (
    const options of [
      { from: "2023-02-29" },
      { from: "2024-13-01" },
      { from: "2024-1-1" },
      { to: "24-01-01" },
      { to: "9999-01-01" },
      { from: "2024-01-02", to: "2024-01-01" },
      { from: "2024-02", to: "2024-01" },
    ]
  ) {
    it(`F37 refuses ${JSON.stringify(options)} before anything is sent`, async () => {
      await withServer(() => answerHours([]), async ({ connection, seen }) => {
        const call = () => modelData("T1", { ...options, connection });
        await assertRejects(call, ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }
});
