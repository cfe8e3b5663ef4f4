import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError, LicenceError, NoDataError } from "../../../src/api/errors.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { type Handler, withServer } from "../_local_server.ts";
import { answerDetails, INDICES_HEADER, turbineOf } from "../cache/_world.ts";

const RANGE = { from: "2023-11", to: "2024-02" };

/** A service whose table has other columns; it has single months, except those with a status. */
function answerSingleMonths(
  statuses: Readonly<Record<string, number>> = {},
  table = "year,month,energy\n2024,1,7\n",
): Handler {
  return (request) => {
    const [id, year, month] = new URL(request.url).pathname.split("/wind_indices/")[1].split("/");
    if (!month) return new Response(table, { headers: { "content-type": "text/csv" } });
    const status = statuses[`${year}-${month}`] ?? statuses.all;
    if (status) return new Response(null, { status });
    return Response.json({
      turbine_id: id,
      year: Number(year),
      month: Number(month),
      monthIndex: Number(year) + Number(month) / 100,
      month_abnormality_index: 1,
      last12_month_index: 2,
      last_full_quarter_index: 3,
      last_full_year_index: 4,
      predicted_production: 5.5,
      predicted_production_low: 5,
      predicted_production_high: 6.25,
    });
  };
}

describe("monthlyIndices() of a service whose table has no figures", () => {
  it("requests each month separately: a row each, nulls for a missing one", async () => {
    await withServer(answerSingleMonths({ "2023-12": 400 }), async ({ connection, seen }) => {
      const frame = await monthlyIndices(["A", "B"], { ...RANGE, connection });
      assertEquals(readColumn(frame, "turbine_id"), [..."AAAABBBB"]);
      const indices = [2023.11, null, 2024.01, 2024.02];
      assertEquals(readColumn(frame, "month_index"), [...indices, ...indices]);
      assertEquals(typesOf(frame).slice(2, 8), Array(6).fill("Float64"));
      assertEquals(frame.getColumn("status").nullCount(), 8);
      assertEquals(readColumn(frame, "predicted_production_low"), [5, null, 5, 5, 5, null, 5, 5]);
      assertEquals(frame.getColumn("predicted_production_high").nullCount(), 2);
      assertEquals(seen.length, 2 * (1 + 4), "one a month");
      const { sha256, notes } = provenance(frame)[0];
      assertEquals([new Set(sha256).size, sha256.length], [6, 6]);
      assertStringIncludes(notes!.join("; "), "each month was requested separately");
    });
  });

  it("reports it if it has none of the months", async () => {
    await withServer(answerSingleMonths({ all: 400 }), async ({ connection }) => {
      await assertRejects(() => monthlyIndices("A", { ...RANGE, connection }), NoDataError);
    });
  });

  for (const half of [{}, { from: "2023-11" }, { to: "2024-02" }]) {
    it(`refuses ${JSON.stringify(half)}, since it needs both ends`, async () => {
      await withServer(answerSingleMonths(), async ({ connection, seen }) => {
        const error = await assertRejects(
          () => monthlyIndices("A", { ...half, connection }),
          DataFormatError,
        );
        assertStringIncludes(error.message, "Give both from and to");
        assertEquals(seen.length, 1);
      });
    });
  }

  for (
    const [label, table] of [
      ["a web page", "<!doctype html><title>Log in</title>"],
      ["a ragged table", `${INDICES_HEADER}\n2024,1,7\n`],
      ["a word for a number", `${INDICES_HEADER}\n2024,1,much,1,2,3,4,5,final,1,1\n`],
    ]
  ) {
    it(`F5, F32 reports ${label} instead of avoiding it`, async () => {
      await withServer(answerSingleMonths({}, table), async ({ connection, seen }) => {
        await assertRejects(() => monthlyIndices("A", { ...RANGE, connection }), DataFormatError);
        assertEquals(seen.length, 1);
      });
    });
  }

  it("stops when the licence has ended", async () => {
    await withServer(answerSingleMonths({ all: 401 }), async ({ connection, seen }) => {
      const range = { from: "2004-01", to: "2023-12" };
      await assertRejects(() => monthlyIndices("A", { ...range, connection }), LicenceError);
      assert(seen.length <= 1 + 16, `${seen.length} requests`);
    });
  });
});

describe("turbineDetails() of a turbine that is not calibrated", () => {
  it("has nulls of the declared types", async () => {
    const none = { training_start: null, training_end: null, last_wind_index: null };
    const handler: Handler = (request) =>
      turbineOf(request) === "A"
        ? answerDetails("A")
        : answerDetails("B", { ...none, data_ready: false });
    await withServer(handler, async ({ connection }) => {
      const frame = await turbineDetails(["A", "B"], { connection });
      const alone = await turbineDetails(["B"], { connection });
      assertEquals(typesOf(alone), typesOf(frame));
      const types = Object.fromEntries(frame.columns.map((name, i) => [name, typesOf(frame)[i]]));
      for (const name of ["training_start", "training_end", "last_wind_index"]) {
        assertEquals([types[name], readColumn(frame, name)[1]], ["Date", null], name);
      }
      assertEquals([types.data_ready, readColumn(frame, "data_ready")], ["Bool", [true, false]]);
      const days = frame.getColumn("last_wind_index").cast(frame.getColumn("name").dtype);
      assertEquals(days.toArray() as unknown[], ["2024-05-01", null]);
      assertEquals(readColumn(frame, "power_control"), [null, null]);
      assertEquals(readColumn(frame, "hub_height"), [80, 80]);
    });
  });
});
