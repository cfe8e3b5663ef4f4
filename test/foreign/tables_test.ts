/**
 * Tables of services that follow the API text in other ways than Vindkit's service. The client reads each right, or
 * rejects it and says which option to pass.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  ArgumentError,
  coverage,
  DataFormatError,
  datasets,
  downloadClimate,
  modelData,
  monthlyIndices,
  provenance,
  rawAnswer,
  windIndices,
} from "@vindkit/vindkit";
import { extractEpochs } from "../../src/frames/frame.ts";
import { zipSync } from "fflate";
import { withServer } from "../client/_local_server.ts";
import { type Dialect, paths, withDialect } from "./_dialect.ts";

/** The three hours in each file of model data, from midnight of 1 July 2024 in Denmark. */
const HOURS = [22, 23, 24].map((hour) => Date.UTC(2024, 5, 30, hour));

function columnOf(frame: DataFrame, name: string): unknown[] {
  return frame.getColumn(name).toArray();
}

function assertHours(frame: DataFrame, hours: readonly number[] = HOURS): void {
  assertEquals([...extractEpochs(frame, "time")], hours);
  assertEquals(columnOf(frame, "wind_speed"), [5.25, 6.5, 7]);
}

/** Model data, with details that name the turbine's time zone, or other details. */
function model(file: string, details?: string): Dialect {
  return { [paths.model]: file, ...(details ? { [paths.details]: details } : {}) };
}

const march = { from: "2024-03-30", to: "2024-04-01" };
const july = { from: "2024-06-30", to: "2024-07-01" };

describe("E6: model data beyond the range", () => {
  const day = (from: string, hours: number) =>
    ["time,wind_speed,wind_direction,temperature,air_density,power"].concat(
      Array.from({ length: hours }, (_, hour) => {
        const time = Temporal.Instant.from(from).add({ hours: hour });
        return `${time}[UTC],5,270,10,1.2,500`;
      }),
    ).join("\n");

  it("of a server that includes end_date is cut, with a note; E7: stamps name their zone, too", () =>
    withServer(() => new Response(day("2024-07-01T00:00:00Z", 48)), async ({ connection }) => {
      const range = { from: "2024-07-01", to: "2024-07-01", timeZone: "UTC" };
      const frame = await modelData("T1", { connection, ...range });
      assertEquals(frame.height, 24);
      assertEquals(provenance(frame)[0].notes, [
        "24 hours outside the request are left out: they are before 2024-07-01 or from 2024-07-02 on",
      ]);
    }));
});

describe("E7: climate of another service", () => {
  it("may be the only member of a zip, called a text", async () => {
    const csv = await Deno.readFile(new URL("files/climate.csv", import.meta.url));
    const body = zipSync({ "era5.txt": csv });
    await withServer(() => new Response(body), async ({ connection }) => {
      const place = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };
      assertEquals((await downloadClimate("era5", { connection, ...place })).height, 2);
    });
  });
});

describe("R7: a table of a hostile service", () => {
  it("is shown as text, whatever characters it has", async () => {
    const evil = "T1\x1b[31mRED\u202eabc";
    const body = JSON.stringify([{ service_id: evil }]);
    await withServer(() => new Response(body), async ({ connection }) => {
      const frame = await datasets({ connection });
      for (const shown of [Deno.inspect(frame), frame.toString(), `${frame.head(1)}`]) {
        assert(!["\x1b", "\u202e"].some((mark) => shown.includes(mark)), JSON.stringify(shown));
        assertStringIncludes(shown, "T1\\u001b[31mRED\\u202eabc");
      }
    });
  });
});

describe("U7: coverage()", () => {
  it("knows what is meant by radius, and notes that it gives one point unless asked for more", async () => {
    const place = { latitude: 55.5, longitude: 7.9 };
    const wrong = { ...place, radius: 60 } as unknown as Parameters<typeof coverage>[1];
    await assertRejects(
      () => coverage("era5", wrong),
      ArgumentError,
      'Did you mean "maxDistance"?',
    );
    const [{ notes }] = provenance(await coverage("era5", { ...place, maxDistance: 60 }));
    assertStringIncludes(notes!.join(), "numPoints (up to 9) adds other points");
    assertEquals(
      provenance(await coverage("era5", { ...place, numPoints: 4 }))[0].notes,
      undefined,
    );
  });
});

describe("K1: model data of another service", () => {
  const dialects: [string, Dialect][] = [
    ["Timestamp with offset, details without a zone", model("timestamp.csv", "details_bare.json")],
    ["Timestamp with offset, no details at all", model("timestamp.csv")],
    ["a display name as the zone", model("timestamp.csv", "details_odd.json")],
    [
      "an index of pandas, semicolons, decimal commas, units in brackets, +0200",
      model("pandas_index.csv"),
    ],
    ["a preamble, a column date, stamps in UTC", model("preamble.csv")],
    ["CET as the zone, stamps with offset", model("timestamp.csv", "details_cet.json")],
  ];
  for (const [name, dialect] of dialects) {
    it(`is read: ${name}`, () =>
      withDialect(dialect, async (connection) => {
        const frame = await modelData("T1", { connection, ...july });
        assertHours(frame);
        assertEquals(String(frame.schema.time), "DataType(Datetime(us,UTC))");
      }));
  }

  it("is read: a byte order mark, local stamps without seconds, CRLF, and details with an identifier as number", () =>
    withDialect(model("excel.csv", "details_number.json"), async (connection) => {
      const frame = await modelData("570715000000011111", { connection, ...july });
      assertHours(frame);
      assertEquals(String(frame.schema.time), "DataType(Datetime(us,Europe/Copenhagen))");
    }));

  it("is read: compressed, without a content type, columns without names", () =>
    withDialect(
      { [paths.model]: { file: "unnamed.csv", packing: "gzip" } },
      async (connection) => {
        const { message } = await assertRejects(
          () => modelData("T1", { connection, ...july }),
          DataFormatError,
        );
        assertStringIncludes(
          message,
          'Its columns are "column_1", "wind_speed", "power". ',
        );
        assertStringIncludes(message, 'pass that name: { columns: { time: "name" } }');
        const columns = { time: "column_1" };
        assertHours(await modelData("T1", { connection, ...july, columns }));
      },
    ));

  for (const packing of ["gzip", "GZIP", "deflate", "br"] as const) {
    it(`is read where it comes packed as ${packing} without being asked for so`, () =>
      withDialect({ [paths.model]: { file: "timestamp.csv", packing } }, async (connection) => {
        assertHours(await modelData("T1", { connection, ...july }));
      }));
  }

  it("on standard time all year is refused with what to pass, and read with it", () =>
    withDialect(model("standard_time.csv", "details_cet.json"), async (connection) => {
      const call = () => modelData("T1", { connection, ...march });
      const { message } = await assertRejects(call, DataFormatError);
      assertStringIncludes(
        message,
        'The time zone of the turbine is "CET", which is not an IANA time zone',
      );
      assertStringIncludes(message, '{ timeZone: "+01:00" } for standard time all year');
      const local = () => modelData("T1", { connection, ...march, timeZone: "Europe/Paris" });
      assertStringIncludes((await assertRejects(local, DataFormatError)).message, "does not exist");
      const frame = await modelData("T1", { connection, ...march, timeZone: "+01:00" });
      assertHours(frame, [0, 1, 2].map((hour) => Date.UTC(2024, 2, 31, hour)));
    }));

  it("with names of its own is refused with what to pass, and read with it", () =>
    withDialect(model("own_names.csv", "details_number.json"), async (connection) => {
      const id = "570715000000011111";
      const call = () => modelData(id, { connection, ...july });
      const { message } = await assertRejects(call, DataFormatError);
      assertStringIncludes(message, 'Its columns are "Zeit", "vNabe", "Leistung", "Temp"');
      const columns = { time: "Zeit", wind_speed: "vNabe", power: "Leistung", temperature: "Temp" };
      const frame = await modelData(id, { connection, ...july, columns });
      assertHours(frame);
      assertEquals(columnOf(frame, "temperature"), [17.5, 17.5, 17.5]);
    }));

  it("refuses names and zones that are none before anything is sent", () =>
    withDialect({}, async (connection) => {
      const wrong = [
        [
          { columns: { speed: "v" } },
          'columns has the unknown name "speed". Give one of these names: time, wind_speed',
        ],
        [{ columns: { time: "" } }, "columns.time is"],
        [
          { columns: { power: "power (MW)" } },
          "in MW, but power is in kW. Get the table with rawAnswer()",
        ],
        [{ timeZone: "CET" }, 'timeZone is "CET", not an IANA time zone'],
      ] as const;
      for (const [declared, problem] of wrong) {
        const call = () => modelData("T1", { connection, ...declared });
        assertStringIncludes((await assertRejects(call, ArgumentError)).message, problem);
      }
    }));
});

describe("K1: names and zones of the caller", () => {
  it("must be in the table: a name that is not there is refused, also of a column that may be absent", () =>
    withDialect(model("own_names.csv", "details_number.json"), async (connection) => {
      const columns = { time: "Zeit", wind_speed: "vNabe", power: "Leistung", temperature: "T" };
      const call = () => modelData("570715000000011111", { connection, ...july, columns });
      assertStringIncludes((await assertRejects(call, DataFormatError)).message, '"T"');
    }));

  it("may not take one column for two", () =>
    withDialect(model("own_names.csv", "details_number.json"), async (connection) => {
      const columns = { time: "Zeit", wind_speed: "vNabe", power: "vNabe" };
      const call = () => modelData("570715000000011111", { connection, ...july, columns });
      const { message } = await assertRejects(call, DataFormatError);
      assertStringIncludes(
        message,
        'column "vNabe" is declared twice, as "wind_speed" and "power"',
      );
    }));

  it("leave the months to the zone of the turbine: they place stamps without offset only", () =>
    withDialect(model("timestamp.csv", "details_number.json"), async (connection) => {
      const id = "570715000000011111";
      const frame = await modelData(id, { connection, ...july, timeZone: "+01:00" });
      assertHours(frame);
      assertEquals(String(frame.schema.time), "DataType(Datetime(us,Europe/Copenhagen))");
    }));

  it("of indices and climate are refused alike", () =>
    withDialect(
      { [paths.indices]: "indices_date.csv", [paths.download]: "climate.csv" },
      async (connection) => {
        const columns = { month_index: "no such column" };
        await assertRejects(() => monthlyIndices("T1", { connection, columns }), DataFormatError);
        const place = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };
        const wrong = () =>
          downloadClimate("era5", { connection, ...place, columns: { speed: "wSpeed.100" } });
        assertStringIncludes(
          (await assertRejects(wrong, ArgumentError)).message,
          'columns has the unknown name "speed"',
        );
      },
    ));
});

describe("K1: wind indices of another service", () => {
  for (const file of ["indices_date.csv", "indices_month.csv"]) {
    it(`are read from ${file}: one column for year and month`, () =>
      withDialect({ [paths.indices]: file }, async (connection) => {
        const frame = await windIndices("T1", { connection });
        assertEquals([columnOf(frame, "year"), columnOf(frame, "month")], [[2024, 2024], [5, 6]]);
        assertEquals(columnOf(frame, "month_index"), [79.3, 70.1]);
        const months = await monthlyIndices("T1", { connection, from: "2024-05", to: "2024-06" });
        assertEquals(columnOf(months, "month_index"), [79.3, 70.1]);
      }));
  }
});

describe("K1: climate files of another service", () => {
  const request = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };
  const hours = [Date.UTC(2023, 0, 1, 0), Date.UTC(2023, 0, 1, 1)];

  it("are read: a column date, semicolons, decimal commas, whatever the content type", () =>
    withDialect(
      { [paths.download]: { file: "climate.csv", headers: { "content-type": "text/plain" } } },
      async (connection) => {
        const frame = await downloadClimate("era5", { connection, ...request });
        assertEquals([...extractEpochs(frame, "time")], hours);
        assertEquals(columnOf(frame, "wind_speed_100"), [7.5, 8.25]);
      },
    ));

  it("are read with names and zone that the caller gives", () =>
    withDialect({ [paths.download]: "climate_own.csv" }, async (connection) => {
      const columns = { time: "Zeit", wind_speed_100: "WS100" };
      const frame = await downloadClimate("era5", {
        connection,
        ...request,
        columns,
        timeZone: "+01:00",
      });
      assertEquals([...extractEpochs(frame, "time")], hours);
      assertEquals(columnOf(frame, "wind_speed_100"), [7.5, 8.25]);
    }));
});

describe("rawAnswer()", () => {
  it("gives bytes, headers and provenance of an answer that no reader takes", () =>
    withDialect(
      { [paths.model]: { file: "own_names.csv", headers: { "x-model": "7" } } },
      async (connection) => {
        const answer = await rawAnswer("model_data", { turbine_id: "T1" }, { connection });
        const file = new URL("files/own_names.csv", import.meta.url);
        assertEquals(answer.bytes, await Deno.readFile(file));
        assertEquals(answer.headers.get("x-model"), "7");
        assertEquals(answer.provenance.sha256.length, 1);
        assertEquals(answer.provenance.operation, "model_data");
      },
    ));

  it("refuses operations that change something, and those that are none", async () => {
    for (const id of ["place_order", "api_key", "modelData"]) {
      const call = () => rawAnswer(id as "model_data");
      assertStringIncludes((await assertRejects(call, ArgumentError)).message, "is not one of");
    }
  });
});

it("K1: says in the provenance of a frame which body it was read from, also with names of the caller", () =>
  withDialect(model("own_names.csv", "details_number.json"), async (connection) => {
    const columns = { time: "Zeit", wind_speed: "vNabe", power: "Leistung" };
    const frame = await modelData("570715000000011111", { connection, ...july, columns });
    assertEquals(provenance(frame)[0].sha256.length, 1);
  }));
