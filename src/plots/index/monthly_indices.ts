import type { DataFrame } from "nodejs-polars";
import type { MonthLike } from "../../api/calendar.ts";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { buildMonthChannel, listMonths } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { buildIndexBars, type IndexRow, readIndexRows } from "../grammar/index_bars.ts";
import {
  buildFigureField,
  buildLevels,
  buildLineLegend,
  buildMarkedMonth,
  mark,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { requireColumns } from "../grammar/read.ts";
import { describeIndex, listTurbines } from "../grammar/rows.ts";
import { formatSpan } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Options of {@linkcode plotMonthlyIndices}. */
export interface PlotMonthlyIndicesOptions extends PlotOptions {
  /** Figure of the bars: relative to one twelfth of a normal year, or to a normal month of the same name. @default {"month_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
  /** Figures that the vertical axis must include, %, so charts of several turbines can share a scale. @default the frame's */
  readonly range?: readonly number[];
  /** Month to mark, such as the month of a report. @default none */
  readonly marked?: MonthLike;
  /** A line below the title and the meaning of the figure, such as the reference period. @default none */
  readonly subtitle?: string;
}

const PLOT = "monthly indices";

/** Most turbines with figures in the alternative text, which is read aloud. */
const MAX_DESCRIBED = 5;

const [monthColumn, last12Column] = pickColumns(
  monthlyIndicesFrame,
  ["month", "last12_month_index"],
);

function formatFacts(rows: readonly IndexRow[], turbines: readonly string[]): string {
  const parts = turbines.slice(0, MAX_DESCRIBED).map((turbine) =>
    (turbines.length > 1 ? `${turbine}: ` : "") +
    describeIndex(rows.filter((row) => row.turbine === turbine))
  );
  const more = turbines.length - parts.length;
  return `${parts.join(". ")}${more > 0 ? `. ${more} more turbines` : ""}`;
}

/** The line of the last twelve months. It has no edge: a white one would cut bars near 100 % into slivers. */
function buildLine(x: Spec, months: number): Spec {
  const point = months <= 60 ? { color: palette.black, filled: true, size: 12 } : false;
  const stroke = buildLineLegend(last12Column.label, palette.black);
  return mark("line", { x, y: quantity("last12"), stroke, strokeWidth: 1.75, point });
}

const OPTIONS = declareOptions<PlotMonthlyIndicesOptions>()(
  "subtitle range marked",
  { figure: "month_index" },
  plotOptions,
);

/**
 * Plots monthly indices: bars around 100 %, with the index of the last twelve months as a line.
 * Months without data and preliminary months are marked; each turbine has a row.
 *
 * @param indices Frame from `monthlyIndices()`
 * @param options Title, `subtitle`, `figure`, `range`, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty or has more than 60 turbines, or a month is duplicated
 */
export function plotMonthlyIndices(
  indices: DataFrame,
  options: PlotMonthlyIndicesOptions = {},
): Chart {
  const chosen = readOptions("plotMonthlyIndices()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [chosen.figure]);
  requireColumns(indices, [monthColumn.name, figure.name], PLOT, "monthlyIndices()");
  const rows = readIndexRows(indices, figure, PLOT);
  const turbines = listTurbines(rows, PLOT);
  const several = turbines.length > 1;
  const months = listMonths(rows.map((row) => row.month));
  const levels = [...rows.flatMap((row) => [row.value, row.last12]), ...chosen.range ?? []];
  return drawChart(
    PLOT,
    [indices],
    chosen,
    several ? 130 : 260,
    ({ width, height, view, subject }) => {
      const x = buildMonthChannel(months, width);
      const bars = view(
        listGiven(
          ...buildMarkedMonth(chosen.marked, x, height),
          ...buildIndexBars(rows, {
            figure,
            x,
            y: buildLevels(100, levels, labelWithUnit(figure), height)("value"),
            height,
            legendWidth: width,
            more: [buildFigureField("last12", labelWithUnit(last12Column), ".1f")],
          }),
          rows.some((row) => row.last12 !== null) && buildLine(x, months.length),
        ),
      );
      const facet = {
        field: "turbine",
        type: "nominal",
        sort: turbines,
        header: { title: null, labelOrient: "top", labelAnchor: "start" },
      };
      return {
        title: [
          figure.label,
          several ? `${turbines.length} turbines` : subject(indices),
          formatSpan(months),
        ],
        subtitle: listGiven(figure.description, chosen.subtitle),
        views: [{
          data: { values: rows },
          ...(several ? { facet, columns: 1, spec: bars } : bars),
        }],
        alt: ["Bar chart", formatFacts(rows, turbines)],
      };
    },
  );
}
