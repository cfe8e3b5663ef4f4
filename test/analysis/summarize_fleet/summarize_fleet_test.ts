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
import { buildVerdict } from "../../../src/analysis/verdict/verdict.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";

const month = pl.Series("month", Array(3).fill("2024-03-01"), pl.Utf8)
  .str.strptime(pl.Date, "%Y-%m-%d");

/** Three entries; the last one has no figures. */
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
  it("weights entries by the energy of all their turbines", () => {
    const fleet = summarizeFleet(indices, details, { month: "2024-03" });
    const of = (name: string) => fleet.frames.turbines.getColumn(name).toArray();
    assertEquals(of("turbine_id"), ["B", "A"]); // the weakest wind first
    assertEquals([of("normal"), of("wind")], [[500, 100], [-100, 20]]);
    assertEquals([fleet.units, fleet.energy, fleet.normal], [11, 520, 600]);
    assertAlmostEquals(fleet.index, 100 * 520 / 600);
    assertEquals(fleet.withoutFigures, ["C"]);
    assertEquals(summarizeFleet(indices, details).period, "2024-03"); // the last one
    assertEquals(fleet.summary, [
      "In March 2024 the wind would have given 520.0 MWh, 86.7 % of a normal March (600.0 MWh). Cannot tell wind from turbine: " +
      "no turbine has production.",
      "With the wind of March 2024, 11 turbines would have produced 520.0 MWh, 86.7 % of a normal March.",
      "C has no figures for this period.",
    ]);
  });

  it("SI7: names first the turbines without useful figures, and the whole fleet if these have most of the energy", () => {
    const judge = (id: string) =>
      details.map((one) =>
        one.turbine_id === id
          ? { ...one, calibration_verdict: "useless", calibration_reason: "its hours differ" }
          : one
      );
    const small = summarizeFleet(indices, judge("A"), { month: "2024-03" }); // 100 of 600 MWh
    assertEquals(
      small.summary[1],
      "The calibration of Alpha is useless, because the modelled wind does not explain the production. Do not rely on this part of the totals.",
    );
    assertEquals(
      small.frames.turbines.filter(pl.col("turbine_id").eq(pl.lit("A"))).getColumn("reason").get(0),
      "the modelled wind does not explain the production (its hours differ)",
    );
    const large = summarizeFleet(indices, judge("B"), { month: "2024-03" });
    assertStringIncludes(
      large.summary[0],
      "Cannot tell wind from turbine: most of the energy comes from turbines whose modelled wind does not explain their production.",
    );
    // A check that failed has its own reason, which matters less.
    const failed = summarizeFleet(indices, judge("A"), {
      month: "2024-03",
      checks: { A: "Cannot compare." },
    });
    assertEquals(failed.summary[1], small.summary[1]);
  });

  it("AN4: counts production if its turbines have at least half of the normal energy, and says how many they are", () => {
    const check = (turbine: string, normal: number) => {
      const verdict = buildVerdict({
        ...{
          period: "2024-03",
          produced: normal - 30,
          normal,
          wind: -2,
          wind_low: -12,
          wind_high: 8,
        },
        ...{ density: 0, stops: -28, stops_low: -30, stops_high: -26 },
        ...{
          limited: 0,
          limited_low: null,
          limited_high: null,
          rest: 0,
          rest_low: -10.2,
          rest_high: 10.2,
        },
        ...{ completeness: 1, reference_from: 2005, reference_to: 2024 },
      }, {});
      return { [turbine]: { verdict, verdicts: [verdict] } };
    };
    const small = summarizeFleet(indices, details, { month: "2024-03", checks: check("A", 100) });
    assertEquals([small.verdict.verdict, small.verdict.produced], ["cannot be told", null]);
    assertEquals(small.frames.turbines.getColumn("turbine_id").toArray(), ["A", "B"]); // a loss of its own first
    const large = summarizeFleet(indices, details, { month: "2024-03", checks: check("B", 50) });
    assertEquals([large.verdict.verdict, large.verdict.produced], ["stops", 200]); // ten turbines
    assertEquals(large.verdict.stops_low, -300);
    assertStringIncludes(large.summary[0], "It was the turbines: stops cost 280.0 MWh");
    assertStringIncludes(large.summary[0], "10 of 11 turbines have production.");
    assertStringIncludes(large.summary[1], "Beta: It was the turbine: stops cost 280.0 MWh");
  });

  it("has the verdict on an owner's share next to the verdict on the fleet", () => {
    const ownership = new Map([["A", [{ owner: "O", percent: 50 }]], ["B", [{
      owner: "O",
      percent: 10,
      from: "2024-03-01",
    }]]]);
    const share = { owner: "O", ownership };
    const fleet = summarizeFleet(indices, details, { month: "2024-03", share });
    assertEquals(fleet.frames.turbines.getColumn("share").toArray(), [10, 50]);
    assertEquals([fleet.share!.verdict.normal, fleet.share!.verdict.wind], [100, 0]);
    assertEquals(
      fleet.summary[2],
      "Share of O: In March 2024 the wind would have given 100.0 MWh, 100.0 % of a normal March (100.0 MWh). Cannot tell " +
        "wind from turbine: no turbine has production.",
    );
    assertEquals(fleet.energy, 520);
  });

  it("sums the wind of a year, and has no figures for a turbine with a missing month", () => {
    const year = summarizeFleet(indices, details, { from: "2024-03", to: "2024-03" });
    assertEquals(year.period, "2024-03");
    assertThrows(
      () => summarizeFleet(indices, details, { from: 2024, to: 2024 }),
      NoDataError,
      "no turbine has figures for 2024",
    );
  });

  it("agrees with the report of the sample's fleet, and is SYNTHETIC", async () => {
    const ids = ["T1", "T3"]; // T3 is a park
    const served = await monthlyIndices(ids, { from: "2025-01", to: "2025-12" });
    const ownDetails = await Promise.all(ids.map((id) => turbineDetails(id)));
    const fleet = summarizeFleet(served, ownDetails, { month: "2025-12" });
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
    const ownDetails = await turbineDetails("T1");
    const { frames: { turbines } } = summarizeFleet(served, [ownDetails]);
    assertEquals(provenance(turbines), [...provenance(served), ...provenance(ownDetails)]);
  });

  it("refuses duplicate details, which would count a turbine twice", () => {
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
    const none = indices.filter(pl.col("turbine_id").eq(pl.lit("C")));
    assertThrows(
      () => summarizeFleet(none, details.slice(2)),
      NoDataError,
      "no turbine has figures for any month. Give indices of turbines with figures",
    );
    assertThrows(
      call(details, "2024-04"),
      NoDataError,
      "no turbine has figures for 2024-04. The last month with figures is 2024-03",
    );
    assertThrows(
      () => summarizeFleet(indices, details, { moth: "2024-03" } as never),
      ArgumentError,
      'Did you mean "month"?',
    );
  });
});
