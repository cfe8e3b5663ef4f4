import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import {
  ArgumentError,
  monthlyIndices,
  NoDataError,
  provenance,
  summarizeFleet,
  turbineDetails,
} from "../../../mod.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";

const month = pl.Series("month", Array(3).fill("2024-03-01"), pl.Utf8)
  .str.strptime(pl.Date, "%Y-%m-%d");

/** Three entries, of which the last has no figures. */
const indices = pl.DataFrame([
  pl.Series("turbine_id", ["A", "B", "C"], pl.Utf8),
  month,
  pl.Series("month_abnormality_index", [120, 80, null], pl.Float64),
  pl.Series("last12_month_index", [101, 97, null], pl.Float64),
  pl.Series("predicted_production", [120, 40, null], pl.Float64),
]);
const details = [
  { turbine_id: "A", name: "Alpha" },
  { turbine_id: "B", name: "Beta", units: 10 },
  { turbine_id: "C", name: "Gamma" },
];

describe("summarizeFleet()", () => {
  it("weighs entries by the energy of all their turbines", () => {
    const fleet = summarizeFleet(indices, details, { month: "2024-03" });
    assertEquals(fleet.frames.turbines.getColumn("turbine_id").toArray(), ["B", "A"]); // the weakest first
    assertEquals(fleet.frames.turbines.getColumn("predicted_production").toArray(), [400, 120]);
    assertEquals([fleet.units, fleet.energy, fleet.normal], [11, 520, 600]);
    assertAlmostEquals(fleet.index, 100 * 520 / 600);
    assertEquals(fleet.withoutFigures, ["C"]);
    assertEquals(summarizeFleet(indices, details).month, "2024-03"); // the last one
    assertEquals(fleet.summary, [
      "In 2024-03 the wind would have given 11 turbines 520 MWh, 86.7 % of a normal March.",
      "Without figures of the month: C.",
    ]);
  });

  it("has the share of an owner beside the whole", () => {
    const ownership = new Map([["A", [{ owner: "O", percent: 50 }]], ["B", [{
      owner: "O",
      percent: 10,
      from: "2024-03-01",
    }]]]);
    const share = { owner: "O", ownership };
    const fleet = summarizeFleet(indices, details, { month: "2024-03", share });
    const of = (name: string) => fleet.frames.turbines.getColumn(name).toArray();
    assertEquals([of("share"), of("predicted_share")], [[10, 50], [40, 60]]);
    assertEquals(of("normal_share"), [50, 50]);
    assertEquals(fleet.share, { owner: "O", energy: 100, normal: 100, index: 100 });
    assertEquals(
      fleet.summary[1],
      "The share of O in that is 100.0 MWh, 100.0 % of a normal March.",
    );
    assertEquals(fleet.energy, 520);
  });

  it("says what the report of the sample's fleet says, and that it is SYNTHETIC", async () => {
    const ids = ["T1", "T3"]; // T3 is a park
    const served = await monthlyIndices(ids, { from: "2025-01", to: "2025-12" });
    const own = await Promise.all(ids.map((id) => turbineDetails(id)));
    const fleet = summarizeFleet(served, own, { month: "2025-12" });
    assertEquals(fleet.units, 21);
    const { "text/html": html } = await (fleet as unknown as Record<
      typeof JUPYTER_DISPLAY,
      () => Promise<Record<string, string>>
    >)[JUPYTER_DISPLAY]();
    assertStringIncludes(html, "SYNTHETIC");
    assertStringIncludes(html, fleet.summary[0]);
  });

  it("orders entries of the same index by their identifiers", () => {
    const rows = ["D", "C", "B", "A"];
    const same = pl.DataFrame([
      pl.Series("turbine_id", rows, pl.Utf8),
      pl.Series("month", rows.map(() => "2024-03-01"), pl.Utf8).str.strptime(pl.Date, "%Y-%m-%d"),
      ...["month_abnormality_index", "last12_month_index", "predicted_production"]
        .map((name) => pl.Series(name, [100, 100, 100, 100], pl.Float64)),
    ]);
    const fleet = summarizeFleet(same, rows.map((id) => ({ turbine_id: id, name: id })));
    assertEquals(fleet.frames.turbines.getColumn("turbine_id").toArray(), ["A", "B", "C", "D"]);
  });

  it("names the sources of indices and details", async () => {
    const served = await monthlyIndices(["T1"], { from: "2025-01", to: "2025-12" });
    const own = await turbineDetails("T1");
    const { frames: { turbines } } = summarizeFleet(served, [own]);
    assertEquals(provenance(turbines), [...provenance(served), ...provenance(own)]);
  });

  it("refuses details that are given twice, which would count a turbine twice", () => {
    assertThrows(
      () => summarizeFleet(indices, [...details, details[0]]),
      ArgumentError,
      "details of A are given twice",
    );
  });

  it("refuses turbines without details, and a month without figures", () => {
    const call = (rows: typeof details, month: string) => () =>
      summarizeFleet(indices, rows, { month });
    assertThrows(call(details.slice(1), "2024-03"), ArgumentError, "details of A are missing");
    assertThrows(
      call(details, "2024-04"),
      NoDataError,
      "no turbine has figures of 2024-04. The last month that any turbine has is 2024-03",
    );
    assertThrows(
      () => summarizeFleet(indices, details, { moth: "2024-03" } as never),
      ArgumentError,
      'Did you mean "month"?',
    );
  });
});
