import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import {
  type TurbineDetails,
  turbineDetails,
  turbines,
} from "../../../src/client/calls/turbines.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { monthlyIndex, windIndices } from "../../../src/client/calls/wind_indices.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { typesOf } from "../_frames.ts";
import { CANARY, withServer } from "../_local_server.ts";

const details: TurbineDetails = {
  turbine_id: "T1",
  name: "One",
  latitude: 55.6,
  longitude: 7.9,
  hub_height: 80,
  rated_power: 2300,
  rotor_diameter: 92,
  time_zone: "Europe/Copenhagen",
  training_start: "2021-01-01",
  training_end: "2024-12-31",
  data_ready: true,
  last_wind_index: { month: 12, year: 2025 },
  power_curve: { power_control: "pcPitch", power: [{ wind_speed: 4, power: 73 }] },
};

/** A month with the fields of the API text only. */
const month = {
  turbine_id: "T1",
  year: 2024,
  month: 5,
  monthIndex: 91.5,
  month_abnormality_index: 103,
  last12_month_index: 99.25,
  last_full_quarter_index: 101,
  last_full_year_index: 98,
  predicted_production: 512.5,
};

const answerJson = (value: unknown) => () => Response.json(value);

function answerPage(): Response {
  return new Response("<!doctype html><title>Login</title>", {
    headers: { "content-type": "text/html" },
  });
}

describe("turbines()", () => {
  it("returns a frame with its provenance", async () => {
    const list = [{ turbine_id: "B" }, { turbine_id: "A" }];
    await withServer(answerJson(list), async ({ connection }) => {
      const frame = await turbines({ connection });
      assertEquals(frame.columns, ["turbine_id"]);
      assertEquals(frame.getColumn("turbine_id").toArray(), ["B", "A"]);
      const { operation, parameters, world, sha256 } = provenance(frame)[0];
      assertEquals([operation, parameters, world], ["turbines", {}, "live"]);
      const bytes = new TextEncoder().encode(JSON.stringify(list));
      const digest = await crypto.subtle.digest("SHA-256", bytes);
      assertEquals(sha256, [new Uint8Array(digest).toHex()]);
    });
  });

  it("returns a typed frame even if there are none", async () => {
    await withServer(answerJson([]), async ({ connection }) => {
      const frame = await turbines({ connection });
      assertEquals([frame.height, frame.columns], [0, ["turbine_id"]]);
      assertEquals(typesOf(frame)[0], "String");
    });
  });

  it("accepts additions of a service", async () => {
    await withServer(answerJson([{ turbine_id: "A", more: 1 }]), async ({ connection }) => {
      assertEquals((await turbines({ connection })).columns, ["turbine_id"]);
    });
  });

  for (
    const [label, value] of Object.entries({
      "an object": { turbine_id: "A" },
      "a list of texts": ["A"],
      "a record without its field": [{ id: "A" }],
      "an identifier that is null": [{ turbine_id: null }],
      "null": null,
    })
  ) {
    it(`refuses ${label}`, async () => {
      await withServer(answerJson(value), async ({ connection, url }) => {
        const { message } = await assertRejects(() => turbines({ connection }), DataFormatError);
        assertStringIncludes(message, `${url}/wind-index/calibrated/`);
      });
    });
  }
});

describe("F5 a page with status 200", () => {
  const calls: Readonly<
    Record<string, (options: Parameters<typeof turbines>[0]) => Promise<unknown>>
  > = {
    "turbines()": (options) => turbines(options),
    "turbineDetails()": (options) => turbineDetails("T1", options),
    "windIndices()": (options) => windIndices("T1", options),
    "monthlyIndex()": (options) => monthlyIndex("T1", "2024-05", options),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`is refused by ${name}, which quotes its beginning`, async () => {
      await withServer(answerPage, async ({ connection }) => {
        const { message } = await assertRejects(() => call({ connection }), DataFormatError);
        assertStringIncludes(message, "<!doctype html><title>Login</title>");
      });
    });

    it(`F20 is shown by ${name} without the key that it repeats`, async () => {
      const echo = () => new Response(`<p>Your key ${CANARY} has expired</p>`);
      await withServer(echo, async ({ connection }) => {
        const { message } = await assertRejects(() => call({ connection }), DataFormatError);
        assert(!message.includes(CANARY), message);
      });
    });
  }

  it("F30 and bytes that are not UTF-8 are refused as well", async () => {
    const latin = new Uint8Array([0x22, 0xe6, 0x22]);
    await withServer(() => new Response(latin), async ({ connection }) => {
      const call = () => turbineDetails("T1", { connection });
      await assertRejects(call, DataFormatError, "it is not UTF-8 text");
    });
  });
});

describe("turbineDetails()", () => {
  it("returns the details, additions of a service included", async () => {
    await withServer(answerJson({ ...details, units: 3 }), async ({ connection, seen }) => {
      assertEquals(await turbineDetails("T1", { connection }), { ...details, units: 3 });
      assertEquals(seen[0].path, "/wind-index/calibrated/details/T1");
    });
  });

  it("accepts null for a turbine that is not calibrated yet", async () => {
    const fresh = {
      ...details,
      training_start: null,
      training_end: null,
      last_wind_index: null,
      data_ready: false,
    };
    await withServer(answerJson(fresh), async ({ connection }) => {
      assertEquals((await turbineDetails("T1", { connection })).training_end, null);
    });
  });

  it("F35 refuses the answer for another turbine", async () => {
    await withServer(answerJson({ ...details, turbine_id: "T2" }), async ({ connection }) => {
      const { message } = await assertRejects(
        () => turbineDetails("T1", { connection }),
        DataFormatError,
      );
      assertStringIncludes(message, 'its turbine_id is "T2", not "T1" as requested');
    });
  });

  it("names the fields that do not fit", async () => {
    const wrong = { ...details, hub_height: "tall", turbine_id: undefined };
    await withServer(answerJson(wrong), async ({ connection }) => {
      const { message } = await assertRejects(
        () => turbineDetails("T1", { connection }),
        DataFormatError,
      );
      assertStringIncludes(message, 'hub_height is "tall", but must be a number');
      assertStringIncludes(message, "turbine_id is missing");
    });
  });
});

describe("monthlyIndex()", () => {
  it("returns the six figures by their names in frames", async () => {
    const interval = { predicted_production_low: 498.5, predicted_production_high: 523 };
    const state = { status: "final", completeness: 1, revision: 2, ...interval } as const;
    await withServer(answerJson({ ...month, ...state }), async ({ connection, seen }) => {
      const { monthIndex, ...rest } = month;
      assertEquals(await monthlyIndex("T1", "2024-05", { connection }), {
        ...rest,
        month_index: monthIndex,
        ...state,
      });
      assertEquals(seen[0].path, "/wind-index/calibrated/wind_indices/T1/2024/5/");
    });
  });

  it("accepts a Temporal.PlainYearMonth", async () => {
    await withServer(answerJson(month), async ({ connection }) => {
      const wanted = Temporal.PlainYearMonth.from("2024-05");
      assertEquals((await monthlyIndex("T1", wanted, { connection })).month, 5);
    });
  });

  it("accepts null for figures that do not exist yet", async () => {
    await withServer(answerJson({ ...month, monthIndex: null }), async ({ connection }) => {
      assertEquals((await monthlyIndex("T1", "2024-05", { connection })).month_index, null);
    });
  });

  for (const [field, other] of [["turbine_id", "T2"], ["year", 2023], ["month", 6]] as const) {
    it(`F35 refuses the answer for another ${field}`, async () => {
      await withServer(answerJson({ ...month, [field]: other }), async ({ connection }) => {
        const { message } = await assertRejects(
          () => monthlyIndex("T1", "2024-05", { connection }),
          DataFormatError,
        );
        assertStringIncludes(message, `its ${field} is ${JSON.stringify(other)}`);
      });
    });
  }

  for (
    const wrong of ["2024-13", "2024-00", "2024-5", "24-05", "2024", "", "May 2024", "0000-12"]
  ) {
    it(`F37 refuses the month "${wrong}" before anything is sent`, async () => {
      await withServer(answerJson(month), async ({ connection, seen }) => {
        await assertRejects(() => monthlyIndex("T1", wrong, { connection }), ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }
});

describe("windIndices()", () => {
  const csv = (text: string) => () =>
    new Response(text, { headers: { "content-type": "text/csv" } });
  const header =
    "year,month,month_index,month_abnormality_index,last12_month_index,last_full_quarter_index,last_full_year_index,predicted_production";

  it("returns the service's table as a typed frame", async () => {
    const state = [
      "status",
      "completeness",
      "revision",
      "predicted_production_low",
      "predicted_production_high",
    ];
    const text = `${header},${state}\n2024,5,91.5,103,99.25,101,98,512.5,final,1.0,2,498.5,523\n`;
    await withServer(csv(text), async ({ connection }) => {
      const frame = await windIndices("T1", { connection });
      assertEquals(frame.height, 1);
      assertEquals(frame.columns, [...header.split(","), ...state]);
      assertEquals(typesOf(frame), [
        "Int32",
        "Int32",
        ...Array(6).fill("Float64"),
        "String",
        "Float64",
        "Int32",
        "Float64",
        "Float64",
      ]);
      assertEquals(provenance(frame)[0].parameters, { turbine_id: "T1" });
    });
  });

  const row = (month: string) => `${month},91.5,103,99.25,101,98,512.5\n`;
  const doubtful: Readonly<Record<string, readonly string[]>> = {
    "2024-05 is duplicated": ["2024,5", "2024,5"],
    "2024-13 is not a month": ["2024,12", "2024,13"],
    "2024-null is not a month": ["2024,"],
  };
  for (const [problem, months] of Object.entries(doubtful)) {
    it(`F35 refuses a table in which ${problem}, also for monthlyIndices()`, async () => {
      const text = `${header}\n${months.map(row).join("")}`;
      await withServer(csv(text), async ({ connection }) => {
        for (const call of [windIndices, monthlyIndices]) {
          const error = await assertRejects(() => call("T1", { connection }), DataFormatError);
          assertStringIncludes(error.message, problem);
        }
      });
    });
  }

  it("F35 refuses a table that names another turbine, also for monthlyIndices()", async () => {
    const text = `turbine_id,${header}\nT7,${row("2024,5")}`;
    await withServer(csv(text), async ({ connection }) => {
      for (const call of [windIndices, monthlyIndices]) {
        const error = await assertRejects(() => call("T1", { connection }), DataFormatError);
        assertStringIncludes(error.message, 'its turbine_id is "T7", not "T1" as requested');
      }
    });
  });

  it("accepts any order of columns, semicolons, and columns of a service's own", async () => {
    const names = [...header.split(",").reverse(), "note"];
    const text = `${names.join(";")}\n512.5;98;101;99.25;103;91.5;5;2024;windy\n`;
    await withServer(csv(text), async ({ connection }) => {
      const frame = await windIndices("T1", { connection });
      assertEquals(frame.getColumn("month_index").toArray(), [91.5]);
      assertEquals(frame.getColumn("note").toArray(), ["windy"]);
    });
  });

  it("returns a typed frame if there is only a header", async () => {
    await withServer(csv(`${header}\n`), async ({ connection }) => {
      const frame = await windIndices("T1", { connection });
      assertEquals(frame.height, 0);
      assertEquals(typesOf(frame)[2], "Float64");
    });
  });

  it("F3 refuses a table that breaks off in the middle of a row, and names the line", async () => {
    const text = `${header}\n2024,5,91.5,103,99.25,101,98,512.5\n2024,6,88`;
    await withServer(csv(text), async ({ connection }) => {
      const call = () => windIndices("T1", { connection });
      await assertRejects(call, DataFormatError, "line 3 has 3 fields, but the header has 8");
    });
  });
});
