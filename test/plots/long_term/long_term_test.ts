import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { longTermColumns } from "../../../src/analysis/estimate_long_term/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/provenance.ts";
import { plotLongTerm } from "../../../src/plots/long_term.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

const buildEstimates = (): DataFrame =>
  pl.DataFrame({
    method: ["1200 method", "regression", "time-step calibration"],
    p50: [9770, 9781, 9781],
    low: [9622, 9650, 9638],
    high: [9920, 9914, 9927],
    p75_1: [9299, 9310, 9310],
    p90_1: [8875, 8887, 8886],
    p75_10: [9610, 9624, 9622],
    p90_10: [9466, 9482, 9479],
    months: [43, 43, 48],
  });

describe("plotLongTerm()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("long_term", () => plotLongTerm(buildEstimates()));
  });

  it("shows each method with its figures, and says that the axis does not begin at zero", async () => {
    const chart = plotLongTerm(buildEstimates());
    const svg = await chart.svg();
    for (
      const text of [
        ">1200 method<",
        ">43 months<",
        ">9,770<",
        ">P90 8,875<",
        ">P75 9,610<",
        "Energy a year (MWh)",
        "Normal year, 90 % interval",
        "The axis does not begin at zero",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(chart.altText, "one year exceeds 8,875 MWh with 90 % (1200 method)");
  });

  it("leaves P75 and P90 out if they are not known", async () => {
    for (
      const frame of [buildEstimates().select("method", "p50", "low", "high"), buildUnknownValues()]
    ) {
      const chart = plotLongTerm(frame);
      const svg = await chart.svg();
      assertStringIncludes(svg, "The spread of the years is not known: no P75 and P90.");
      assert(!svg.includes(">P90") && !svg.includes("One year"));
    }
  });

  it("takes the frame of estimateLongTerm(), its unit and its origin", async () => {
    const described = describeFrame(buildEstimates(), longTermColumns, buildOrigin("sample"));
    const svg = await plotLongTerm(described).svg();
    assertStringIncludes(svg, ">SYNTHETIC</text>");
    const names = longTermColumns.map(({ name }) => name);
    assertEquals(buildEstimates().columns.filter((name) => !names.includes(name)), []);
  });

  it("F26 draws one method, no spread, tiny and huge energies, and hostile names", async () => {
    for (const [p50, low, high] of [[5, 5, 5], [0, 0, 0], [1e-6, 0, 1], [4e8, 1e8, 9e8]]) {
      const chart = plotLongTerm(
        pl.DataFrame({
          method: [`<b>${"long ".repeat(50)}`],
          p50: [p50],
          low: [low],
          high: [high],
        }),
        { width: 300 },
      );
      const svg = await chart.svg();
      assert(svg.startsWith("<svg") && !svg.includes("<b>") && !svg.includes("NaN"));
      assert(!chart.altText.includes("NaN"));
    }
  });

  it("refuses missing columns and values, and an interval that does not contain its estimate", () => {
    const message = (frame: DataFrame) =>
      assertThrows(() => plotLongTerm(frame), ArgumentError).message;
    assertStringIncludes(message(buildEstimates().drop("low")), 'no column "low"');
    assertStringIncludes(message(buildEstimates().head(0)), "no rows");
    const outside = buildEstimates().withColumn(pl.lit(9900).alias("low"));
    assertStringIncludes(message(outside), 'in row 1 "p50" is 9770, outside of 9900 to 9920');
    const hole = buildEstimates().withColumn(pl.lit(null).cast(pl.Float64).alias("p50"));
    assertStringIncludes(message(hole), 'row 1 of the frame has no method, "p50"');
  });
});

/** The estimates with empty columns of P75 and P90. */
function buildUnknownValues(): DataFrame {
  const columns = ["p75_1", "p90_1", "p75_10", "p90_10"];
  return buildEstimates().withColumns(
    ...columns.map((name) => pl.lit(null).cast(pl.Float64).alias(name)),
  );
}
