import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError, LicenceError, NoDataError } from "../../../src/api/errors.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { provenance } from "../../../src/frames/provenance.ts";
import { column, typesOf } from "../_frames.ts";
import { type Handler, withServer } from "../_local_server.ts";
import { detailsAnswer, INDICES_HEADER, turbineOf } from "../cache/_world.ts";

const RANGE = { from: "2023-11", to: "2024-02" };

/** A service whose table has other columns; it has single months, but those that answer with a status. */
function singleOnly(
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
  it("asks for each month by itself: a row each, nulls where there is nothing", async () => {
    await withServer(singleOnly({ "2023-12": 400 }), async ({ connection, seen }) => {
      const frame = await monthlyIndices(["A", "B"], { ...RANGE, connection });
      assertEquals(column(frame, "turbine_id"), [..."AAAABBBB"]);
      const indices = [2023.11, null, 2024.01, 2024.02];
      assertEquals(column(frame, "month_index"), [...indices, ...indices]);
      assertEquals(typesOf(frame).slice(2, 8), Array(6).fill("Float64"));
      assertEquals(frame.getColumn("status").nullCount(), 8);
      assertEquals(column(frame, "predicted_production_low"), [5, null, 5, 5, 5, null, 5, 5]);
      assertEquals(frame.getColumn("predicted_production_high").nullCount(), 2);
      assertEquals(seen.length, 2 * (1 + 4), "one a month");
      const { sha256, notes } = provenance(frame)!;
      assertEquals([new Set(sha256).size, sha256.length], [6, 6]);
      assertStringIncludes(notes!.join("; "), "each month was requested by itself");
    });
  });

  it("says so where it has no such months at all", async () => {
    await withServer(singleOnly({ all: 400 }), async ({ connection }) => {
      await assertRejects(() => monthlyIndices("A", { ...RANGE, connection }), NoDataError);
    });
  });

  for (const half of [{}, { from: "2023-11" }, { to: "2024-02" }]) {
    it(`needs both ends: ${JSON.stringify(half)} is told`, async () => {
      await withServer(singleOnly(), async ({ connection, seen }) => {
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
    const [what, table] of [
      ["a web page", "<!doctype html><title>Log in</title>"],
      ["a ragged table", `${INDICES_HEADER}\n2024,1,7\n`],
      ["a word for a number", `${INDICES_HEADER}\n2024,1,much,1,2,3,4,5,final,1,1\n`],
    ]
  ) {
    it(`F5, F32 tells ${what} instead of going round it`, async () => {
      await withServer(singleOnly({}, table), async ({ connection, seen }) => {
        await assertRejects(() => monthlyIndices("A", { ...RANGE, connection }), DataFormatError);
        assertEquals(seen.length, 1);
      });
    });
  }

  it("stops asking where the licence has ended", async () => {
    await withServer(singleOnly({ all: 401 }), async ({ connection, seen }) => {
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
        ? detailsAnswer("A")
        : detailsAnswer("B", { ...none, data_ready: false });
    await withServer(handler, async ({ connection }) => {
      const frame = await turbineDetails(["A", "B"], { connection });
      const alone = await turbineDetails(["B"], { connection });
      assertEquals(typesOf(alone), typesOf(frame));
      const types = Object.fromEntries(frame.columns.map((name, i) => [name, typesOf(frame)[i]]));
      for (const name of ["training_start", "training_end", "last_wind_index"]) {
        assertEquals([types[name], column(frame, name)[1]], ["Date", null], name);
      }
      assertEquals([types.data_ready, column(frame, "data_ready")], ["Bool", [true, false]]);
      const days = frame.getColumn("last_wind_index").cast(frame.getColumn("name").dtype);
      assertEquals(days.toArray() as unknown[], ["2024-05-01", null]);
      assertEquals(column(frame, "power_control"), [null, null]);
      assertEquals(column(frame, "hub_height"), [80, 80]);
    });
  });
});
