import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotWhatIf } from "../../../src/plots/comparison/what_if.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

const summary = [
  "With hubHeight 120, a normal year gives 5,300 MWh instead of 5,000 MWh (+6.0 %).",
];

/** Months from January 2020 on; the third has no figures. */
function buildMonths(share: number, count = 40) {
  const rows = Array.from({ length: count }, (_, i) => i);
  const known = (values: number[]) => values.map((value, i) => i === 2 ? null : value);
  const frame = pl.DataFrame([
    pl.Series("month", rows.map((i) => new Date(Date.UTC(2020, i, 1))), pl.Date),
    pl.Series(
      "predicted_production",
      known(rows.map((i) => share * (400 + 10 * (i % 12)))),
      pl.Float64,
    ),
    pl.Series(
      "month_abnormality_index",
      known(rows.map((i) => 100 + share * (i % 7 - 3))),
      pl.Float64,
    ),
  ]);
  return describeFrame(frame, [], buildOrigin("own"));
}

const frames = (count?: number) => ({
  now: buildMonths(1, count),
  what_if: buildMonths(1.06, count),
});

describe("plotWhatIf()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("what_if", () => plotWhatIf({ frames: frames(14), summary }));
  });

  it("states the change, and shows the last 36 months", () => {
    const { altText } = plotWhatIf({ frames: frames(), summary });
    assertStringIncludes(altText, "With hubHeight 120");
    assertStringIncludes(altText, "May 2020 to Apr 2023");
  });

  it("refuses frames without the columns", () => {
    const { now, what_if } = frames();
    assertThrows(
      () => plotWhatIf({ frames: { now: now.drop("predicted_production"), what_if }, summary }),
      ArgumentError,
      "predicted_production",
    );
    assertEquals(now.height, 40);
  });
});
