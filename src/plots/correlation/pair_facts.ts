import { formatNumber } from "../../show/text/number.ts";
import type { JoinBy, Pairs } from "./pairs.ts";
import type { Regression } from "../../stats/regression.ts";

/** Formats a figure for text: a small one keeps its digits. */
function formatFigure(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1e7)
    ? value.toExponential(2)
    : formatNumber(value, size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

/** Correlation and line in words. */
export function formatPairFacts(
  pairs: Pairs,
  line: Regression | undefined,
  same: boolean,
): string[] {
  const n = `n = ${formatNumber(pairs.x.length)}`;
  if (!line) {
    return [`${n}; no line: ${pairs.x.length === 1 ? "one pair" : "x is always the same"}`];
  }
  const { r, slope, intercept } = line;
  const sign = intercept < 0 ? "-" : "+";
  const equation =
    `Line: y = ${formatFigure(slope)} x ${sign} ${formatFigure(Math.abs(intercept))}` +
    (same ? "; dashed: y = x" : "");
  return r === undefined
    ? [`${n}; y is always the same, so r is not defined`, equation]
    : [`r = ${r.toFixed(3)}, R2 = ${(r * r).toFixed(3)}, ${n}`, equation];
}

/** Rows without a partner in words. */
export function formatLeftOut({ onlyX, onlyY, missing, neither }: Pairs, by: JoinBy): string {
  const row = by === "month" ? "month" : "stamp";
  const rows = (count: number) => `${formatNumber(count)} ${row}${count === 1 ? "" : "s"}`;
  const parts = [
    [onlyX, "only in x"],
    [onlyY, "only in y"],
    [missing, "without a value in x or y"],
    [neither, "in neither"],
  ] as const;
  const found = parts.filter(([count]) => count > 0);
  if (found.length === 0) return `Every ${row} of x is also in y`;
  return `Not shown: ${found.map(([count, why]) => `${rows(count)} ${why}`).join(", ")}`;
}
