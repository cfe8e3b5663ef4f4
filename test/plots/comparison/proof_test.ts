import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotProof } from "../../../src/plots/comparison/proof.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

/** A year of months; March is outside of its interval. */
function buildProof(interval = true) {
  const produced = [520, 470, 350, 400, 300, 260, 240, 280, 330, 420, 480, 540];
  const number = (name: string, values: readonly (number | null)[]) =>
    pl.Series(name, [...values], pl.Float64);
  const end = (share: number) =>
    produced.map((_, i) => interval ? share * (i === 2 ? 440 : 1.02 * produced[i]) : null);
  const periods = pl.DataFrame([
    pl.Series("period", produced.map((_, i) => `2018-${String(i + 1).padStart(2, "0")}`)),
    number("produced", produced),
    number("predicted", produced.map((energy, i) => i === 2 ? 440 : 1.02 * energy)),
    number("low", end(0.9)),
    number("high", end(1.11)),
  ]);
  const months = [1, 3, 6, 12, 24, 60, 240];
  const lengths = pl.DataFrame([
    number("months", interval ? months : []),
    number("month_most", interval ? months.map((count) => 9 + 9 / count) : []),
    number("year_most", interval ? months.map((count) => 12 / Math.sqrt(count)) : []),
  ]);
  const origin = buildOrigin("own");
  return {
    frames: {
      periods: describeFrame(periods, [], origin),
      lengths: describeFrame(lengths, [], origin),
    },
  };
}

describe("plotProof()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("proof", () => plotProof(buildProof()));
  });

  it("counts the periods inside their interval", () => {
    assertStringIncludes(
      plotProof(buildProof()).altText,
      "11 of 12 periods are inside their 90 % interval",
    );
  });

  it("draws annual production without intervals and without errors by number of months", async () => {
    const svg = await plotProof(buildProof(false)).svg();
    assertEquals([svg.includes("Months of production"), svg.includes("Outside the interval")], [
      false,
      false,
    ]);
    assertStringIncludes(svg, ">Produced<");
  });

  it("refuses a frame without the columns", () => {
    const { frames: { periods, lengths } } = buildProof();
    assertThrows(
      () => plotProof({ frames: { periods: periods.drop("low"), lengths } }),
      ArgumentError,
      'no column "low"',
    );
  });
});
