import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthRecord } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatMonth, formatShare, monthColumnName } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { diverging } from "../drawing/theme.ts";
import { listYears, readYearPositions } from "../grammar/axes.ts";
import { buildCalendar, chooseCalendarHeight, MONTHS } from "../grammar/calendar.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  type Drawn,
  frameOf,
  readNumberColumn,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { formatEnds, formatSpan } from "../grammar/text.ts";

const PLOT = "the completeness";

/** Lower bounds of the classes, %; from 98 on, a month counts as complete. */
const BOUNDS = [50, 80, 90, 98];

/** Colours of the classes, the least complete first: orange, and blue for complete months. */
const COLORS = [diverging[0], diverging[1], diverging[2], diverging[3], diverging[6]];

const NO_VALUE = "No value";

const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** Months of the record, in order of time. */
function readCells(frame: DataFrame) {
  const positions = readYearPositions(frame, yearColumn.name, PLOT);
  const shares = MONTHS.map((_, i) => readNumberColumn(frame, monthColumnName(i + 1), PLOT));
  return listYears(positions.keys()).flatMap((year) => {
    const at = positions.get(year);
    return MONTHS.flatMap((column, i) => {
      const share = at === undefined ? null : shares[i][at];
      const label = formatMonth(`${year}-${column}`);
      if (share === null) return [];
      if (share < 0 || share > 1) {
        refusePlot(
          PLOT,
          `${label} is ${share}, not a share from 0 to 1. Divide percentages by 100`,
        );
      }
      return [{
        year: String(year),
        column,
        label,
        value: share === 0 ? null : 100 * share,
        share: 100 * share,
        // Rounded down: 100 only if nothing is missing.
        exact: formatShare(share),
        figure: formatShare(share, 0),
        state: share === 0 ? NO_VALUE : "Values",
      }];
    });
  });
}

function formatFacts(cells: ReturnType<typeof readCells>): string {
  const short = cells.filter(({ share }) => share < BOUNDS[BOUNDS.length - 1])
    .toSorted((a, b) => a.share - b.share);
  const named = short.slice(0, 3)
    .map(({ label, share }) => `${formatShare(share / 100)} % in ${label}`);
  return `${formatEnds(cells)}, ` +
    (short.length === 0
      ? "all months at least 98 % complete"
      : `${short.length} of ${cells.length} months below 98 %, the least complete ${
        named.join(", ")
      }`);
}

/**
 * Plots the completeness of a record as a calendar: a row per year, a column per month, and in each cell the share of hours
 * with a value. Blue months count as complete (98 %), months without any value are crossed out, and months outside of
 * the record stay white. Figures are rounded down: 100 means that nothing is missing.
 *
 * @param given Answer of `checkQuality()`, or `completeness` of its `frames`: `year` and the shares (0 to 1) of `jan` to `dec`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, a year is duplicated, or a share is not between 0 and 1
 *
 * @example The completeness of the sample's production
 * ```ts
 * import { checkQuality, exampleFile, plotCompleteness, readProduction } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const quality = checkQuality(production, { timeZone: "Europe/Copenhagen" });
 * assertStringIncludes(plotCompleteness(quality).altText, "January 2021 to");
 * ```
 */
export function plotCompleteness(given: Drawn<"completeness">, options: PlotOptions = {}): Chart {
  const chosen = readOptions("plotCompleteness()", options, plotOptions);
  const completeness = frameOf(given, "completeness");
  const needed = [yearColumn.name, ...MONTHS.map((_, i) => monthColumnName(i + 1))];
  requireColumns(completeness, needed, PLOT, "checkQuality()");
  const cells = readCells(completeness);
  if (cells.length === 0) {
    refusePlot(PLOT, `no month has a share. Give the completeness of a record with values`);
  }
  const years = listYears(cells.map(({ year }) => Number(year))).map(String);
  return drawChart(
    PLOT,
    [completeness],
    chosen,
    chooseCalendarHeight(years),
    ({ width, height, view, subject }) => ({
      title: [
        "Completeness",
        subject(completeness) || "the record",
        formatSpan(cells.map(({ year, column }) => `${year}-${column}`)),
      ],
      subtitle: ["Share of the hours of each month that have a value, rounded down."],
      views: [view(
        buildCalendar(cells, {
          columns: MONTHS,
          years,
          width,
          height,
          bounds: BOUNDS,
          colors: COLORS,
          title: "Hours with a value (%)",
          states: [NO_VALUE],
          tooltip: [
            { field: "label", title: "Month" },
            { field: "exact", title: "Hours with a value (%)" },
          ],
        }),
        { data: { values: cells } },
      )],
      alt: ["Calendar of years by months", formatFacts(cells)],
    }),
  );
}
