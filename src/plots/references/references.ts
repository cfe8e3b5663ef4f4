import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { assembleChart } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildWatermark } from "../parts/marks.ts";
import {
  buildCorrelationPanel,
  buildTrendPanel,
  isSignificant,
  MAX_TREND,
} from "./reference_panels.ts";
import { readReferenceRows, referenceNames, type ReferenceRow } from "./reference_rows.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { checkOptions } from "../../show/options/check_options.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";

const WHAT = "the references";

/** Candidates that fit one picture. */
const MAX_ROWS = 40;

/** Candidates named in the alternative text. */
const MAX_NAMED = 5;

/** Height of a candidate, pixels. */
const ROW = 32;

/** Gap between the panels, pixels. */
const GAP = 24;

/** Share of the left panel. */
const LEFT = 0.56;

function describeReference({ name, details, monthly, hourly, trend }: ReferenceRow): string {
  const known = [
    ...(details === "" ? [] : [details]),
    ...(monthly === null ? [] : [`monthly r ${monthly.toFixed(3)}`]),
    ...(hourly === null ? [] : [`hourly r ${hourly.toFixed(3)}`]),
    ...(monthly === null && hourly === null ? ["no correlation"] : []),
    ...(trend === null ? [] : [`trend ${formatSigned(trend, 1)} % per decade`]),
  ];
  return `${name}: ${known.join(", ")}`;
}

/** Names what is below the names of the references. */
function formatSubtitle(rows: readonly ReferenceRow[]): string {
  const shown = [
    ...(rows.some(({ away }) => away !== null) ? ["distance"] : []),
    ...(rows.some(({ lag }) => lag !== null && lag !== 0) ? ["lag of the production"] : []),
  ];
  return `The best first${shown.length === 0 ? "" : `, with ${shown.join(" and ")}`}.`;
}

function formatAltText(title: string, rows: readonly ReferenceRow[]): string {
  const more = rows.length > MAX_NAMED ? `; and ${rows.length - MAX_NAMED} more` : "";
  return `Dots of correlations and trends, the best first. ${title}. ` +
    `${rows.slice(0, MAX_NAMED).map(describeReference).join("; ")}${more}.`;
}

/**
 * Plots references for a production in their order: monthly r with its 90 % interval and hourly r on the left, the trend
 * of the wind with its interval on the right. A trend whose interval excludes 0 is red.
 *
 * @param references Frame of up to 40 candidates from `compareReferences()`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, or there are more candidates
 *
 * @example Two references
 * ```ts
 * import { compareReferences, modelData, plotReferences } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const years = { from: 2022, to: 2024 };
 * const [one, two, three] = await Promise.all(["T1", "T2", "T4"].map((id) => modelData(id, years)));
 * const { references } = compareReferences(one.select("time", "power"), { T2: two, T4: three });
 * assertStringIncludes(plotReferences(references).altText, "the best first");
 * ```
 */
export function plotReferences(
  references: DataFrame,
  options: PlotOptions = {},
): Chart {
  checkOptions("plotReferences()", options, plotOptions);
  requireColumns(references, referenceNames, WHAT, "compareReferences()");
  const rows = readReferenceRows(references, WHAT);
  if (rows.length > MAX_ROWS) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: the frame has ${rows.length} candidates, at most ${MAX_ROWS} fit ` +
        `one picture. Plot the best of them: references.head(${MAX_ROWS})`,
    );
  }
  const { width, height } = choosePlotSize(options, Math.max(60, rows.length * ROW), WHAT);
  const months = Math.max(0, ...rows.flatMap((row) => row.months ?? []));
  const trends = rows.some(({ trend }) => trend !== null);
  const left = trends ? Math.round(LEFT * (width - GAP)) : width;
  const origin = readOrigin(references, options);
  const title = options.title ??
    `References for ${
      months > 0 ? `${formatNumber(months)} months of production` : "the production"
    }`;
  const trend = buildTrendPanel(rows, { width: width - GAP - left, height });
  return assembleChart({
    title,
    subtitle: [formatSubtitle(rows)],
    views: [{
      data: { values: rows },
      spacing: GAP,
      hconcat: [
        buildCorrelationPanel(rows, { width: left, height }, buildWatermark(origin, left, height)),
        ...(trends ? [trend.panel] : []),
      ],
    }],
    notes: [
      ...(trends && trend.cut
        ? [`The axis of the trend ends at ${MAX_TREND} % per decade; wider intervals are cut off`]
        : []),
      ...(rows.some(isSignificant) ? ["Red: a trend whose 90 % interval excludes 0"] : []),
    ],
    width,
    altText: formatAltText(title, rows),
    origin,
    theme: options.theme,
  });
}
