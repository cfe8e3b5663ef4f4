import type { Spec } from "../parts/assemble.ts";
import { completenessBy } from "./valid_share.ts";
import { figureField } from "../parts/lines.ts";
import { formatDay, timeChannel } from "../parts/time_axis.ts";
import { type Curve, rounded, type Span } from "./time_curve.ts";
import { palette } from "../drawing/theme.ts";

/** Height of the strip, pixels. */
const STRIP_HEIGHT = 20;

/** Bars as high as the share of values that are there, before a band of what would be whole. */
export function completenessView({ complete }: Curve, span: Span, last: boolean): Spec {
  const { from, to, zone, width } = span;
  const by = completenessBy(from, to);
  const rows = complete.map((part) => ({
    // The calendar's months go beyond the first and the last value; the picture does not.
    from: Math.max(part.from, from),
    to: Math.min(part.to, to),
    share: rounded(100 * part.share),
    label: by === "day"
      ? formatDay(part.from, zone)
      : formatDay(part.from, zone).replace(/^\d+ /, ""),
  }));
  const x = timeChannel("from", from, to, zone, width, last);
  return {
    data: { values: rows },
    width,
    height: STRIP_HEIGHT,
    layer: [
      {
        data: { values: [{}] },
        mark: { type: "rect", color: palette.missing, tooltip: null },
        encoding: {
          x: { value: 0 },
          x2: { value: width },
          y: { value: 0 },
          y2: { value: STRIP_HEIGHT },
        },
      },
      {
        mark: { type: "rect", color: palette.faint, stroke: palette.faint, strokeWidth: 0.4 },
        encoding: {
          x,
          x2: { field: "to" },
          y: {
            field: "share",
            type: "quantitative",
            scale: { domain: [0, 100] },
            axis: { title: null, values: [0, 100], labelExpr: "datum.value + ' %'", grid: false },
          },
          y2: { datum: 0 },
          tooltip: [
            { field: "label", title: by === "day" ? "Day" : "Month", type: "nominal" },
            figureField("share", "Completeness (%)", ".1f"),
          ],
        },
      },
    ],
  };
}
