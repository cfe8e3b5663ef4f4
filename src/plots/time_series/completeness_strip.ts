import type { Spec } from "../parts/assemble.ts";
import { chooseCalendarUnit } from "./completeness.ts";
import { buildFigureField } from "../parts/lines.ts";
import { buildTimeChannel, formatDay } from "../parts/time_axis.ts";
import { type Curve, roundToSixDigits, type Span } from "./time_curve.ts";
import { palette } from "../drawing/theme.ts";

/** Height of the strip, pixels. */
const STRIP_HEIGHT = 14;

/** Bars as high as the completeness, in front of a grey band of 100 %. */
export function buildCompletenessView({ completeness }: Curve, span: Span, last: boolean): Spec {
  const { from, to, zone, width } = span;
  const by = chooseCalendarUnit(from, to);
  const rows = completeness.map((part) => ({
    // Calendar months extend beyond the first and the last value; the picture does not.
    from: Math.max(part.from, from),
    to: Math.min(part.to, to),
    share: roundToSixDigits(100 * part.share),
    label: by === "day"
      ? formatDay(part.from, zone)
      : formatDay(part.from, zone).replace(/^\d+ /, ""),
  }));
  const x = buildTimeChannel("from", from, to, zone, width, last);
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
        mark: { type: "rect", color: palette.paleBlue, stroke: palette.paleBlue, strokeWidth: 0.4 },
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
            buildFigureField("share", "Completeness (%)", ".1f"),
          ],
        },
      },
    ],
  };
}
