import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError, NotFoundError } from "../../../src/api/errors.ts";
import { monthlyReport, reportMonths, reportTurbines } from "../../../src/client/calls/reports.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { withServer } from "../_local_server.ts";

const answerJson = (value: unknown) => () => Response.json(value);

/** A column of dates as texts. */
function readDates(frame: DataFrame, name: string): string[] {
  return readColumn<number>(frame.select(pl.col(name).cast(pl.Int32)), name).map((days) =>
    Temporal.PlainDate.from("1970-01-01").add({ days }).toString()
  );
}

describe("reportTurbines()", () => {
  it("has the month of the last report as its first day", async () => {
    const list = [
      { turbine_id: "A", last_available_report: "2024-05" },
      { turbine_id: "B", last_available_report: "2023-12-01" },
    ];
    await withServer(answerJson(list), async ({ connection, seen }) => {
      const frame = await reportTurbines({ connection });
      assertEquals(typesOf(frame), ["String", "Date"]);
      assertEquals(readColumn(frame, "turbine_id"), ["A", "B"]);
      assertEquals(readDates(frame, "last_available_report"), ["2024-05-01", "2023-12-01"]);
      assertEquals(seen[0].path, "/onlinedata-services/windindex/calibrated/report/");
    });
  });

  it("accepts a turbine without a report", async () => {
    const list = [{ turbine_id: "A", last_available_report: null }];
    await withServer(answerJson(list), async ({ connection }) => {
      const frame = await reportTurbines({ connection });
      assertEquals(readColumn(frame, "last_available_report"), [null]);
    });
  });
});

describe("reportMonths()", () => {
  const forms: Readonly<Record<string, unknown>> = {
    "bare texts": ["2024-04", "2024-05"],
    "objects": [{ month: "2024-04" }, { month: "2024-05" }],
    "both": ["2024-04", { month: "2024-05" }],
    "objects with additions": [{ month: "2024-04", revision: 1 }, { month: "2024-05" }],
  };
  for (const [name, list] of Object.entries(forms)) {
    it(`reads ${name}`, async () => {
      await withServer(answerJson(list), async ({ connection, seen }) => {
        const frame = await reportMonths("T 1", { connection });
        assertEquals(typesOf(frame), ["Date"]);
        assertEquals(readDates(frame, "month"), ["2024-04-01", "2024-05-01"]);
        assertEquals(seen[0].path, "/onlinedata-services/windindex/calibrated/report/T%201");
      });
    });
  }

  it("is typed even if there is no report", async () => {
    await withServer(answerJson([]), async ({ connection }) => {
      const frame = await reportMonths("T1", { connection });
      assertEquals([frame.height, typesOf(frame)], [0, ["Date"]]);
    });
  });

  for (const value of [["2024-13"], ["May"], [null], [5], [{}], {}, "2024-05", null]) {
    it(`refuses ${JSON.stringify(value)}`, async () => {
      await withServer(answerJson(value), async ({ connection }) => {
        await assertRejects(() => reportMonths("T1", { connection }), DataFormatError);
      });
    });
  }

  it("F8 reports that the turbine is not found", async () => {
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      const call = () => reportMonths("T1", { connection });
      await assertRejects(call, NotFoundError, "turbine not found");
    });
  });
});

describe("monthlyReport()", () => {
  const report = { turbine_id: "T1", period: "2024-05", revision: 2, anything: { at: ["all"] } };

  it("returns any object that the service sends", async () => {
    for (const value of [report, {}, { text: "windy" }]) {
      await withServer(answerJson(value), async ({ connection }) => {
        assertEquals(await monthlyReport("T1", "2024-05", { connection }), value);
      });
    }
  });

  it("requests the month, and a given revision", async () => {
    await withServer(answerJson(report), async ({ connection, seen }) => {
      await monthlyReport("T1", "2024-05", { connection });
      await monthlyReport("T1", Temporal.PlainYearMonth.from("2024-05"), {
        revision: 2,
        connection,
      });
      const path = "/onlinedata-services/windindex/calibrated/report/T1/2024-05";
      assertEquals(seen.map((request) => request.path), [path, `${path}?revision=2`]);
    });
  });

  for (const value of [[], "text", null, 5]) {
    it(`refuses ${JSON.stringify(value)}, which is not an object`, async () => {
      await withServer(answerJson(value), async ({ connection }) => {
        await assertRejects(() => monthlyReport("T1", "2024-05", { connection }), DataFormatError);
      });
    });
  }

  for (const [field, other] of [["turbine_id", "T2"], ["period", "2024-04"]]) {
    it(`F35 refuses a report of another ${field}`, async () => {
      await withServer(answerJson({ ...report, [field]: other }), async ({ connection }) => {
        const { message } = await assertRejects(
          () => monthlyReport("T1", "2024-05", { connection }),
          DataFormatError,
        );
        assertStringIncludes(message, other);
      });
    });
  }

  it("F8 reports that there is no report", async () => {
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      const call = () => monthlyReport("T1", "2024-05", { connection });
      await assertRejects(call, NotFoundError, "report not found");
    });
  });

  for (const [month, revision] of [["2024-13", 1], ["2024-05", -2], ["2024-05", 1.5]] as const) {
    it(`F37 refuses ${month} with revision ${revision} before anything is sent`, async () => {
      await withServer(answerJson(report), async ({ connection, seen }) => {
        const call = () => monthlyReport("T1", month, { revision, connection });
        await assertRejects(call, ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }
});
