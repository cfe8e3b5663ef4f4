import { diverging, fontSize, palette } from "../drawing/theme.ts";
import { measureText } from "../drawing/text_width.ts";
import { roundUpYears } from "./axes.ts";
import { label, mark, quantity, type Spec } from "./marks.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Columns of a calendar: twelve months. */
export const MONTHS = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, "0"));

/** Columns of a calendar with an empty column and the year after December. */
export const WITH_YEAR = [...MONTHS, "", "Year"];

/** Width from which a month is named by three letters instead of one, pixels. */
const MIN_NAME_WIDTH = 34;

/** Height of a cell from which its figure is written, pixels. */
const MIN_FIGURE_HEIGHT = 12;

/** Outlines of the cross in a cell without data, and of the dark corner in a preliminary one. */
const CROSS = "M-1,-.8L-.8,-1L0,-.2L.8,-1L1,-.8L.2,0L1,.8L.8,1L0,.2L-.8,1L-1,.8L-.2,0Z";
const CORNER = "M-1,-1L1,-1L1,1Z";

/** Height of the rows of all years, pixels: more years get lower rows. */
export function chooseCalendarHeight({ length }: readonly string[]): number {
  return length * (length <= 3 ? 28 : length <= 40 ? 20 : 13);
}

/** Horizontal channel of the columns, with their names above them. */
function buildColumns(columns: readonly string[], step: number): Spec {
  const letters = step < MIN_NAME_WIDTH ? 1 : 3;
  const names = "'JanFebMarAprMayJunJulAugSepOctNovDec'";
  const month = `substring(${names}, 3 * datum.value - 3, 3 * datum.value - ${3 - letters})`;
  return {
    field: "column",
    type: "ordinal",
    scale: { domain: columns, padding: 0.03 },
    axis: {
      domain: false,
      labelAngle: 0,
      labelExpr: `length(datum.value) === 2 ? ${month} : datum.value`,
      labelOverlap: false,
      orient: "top",
      ticks: false,
      title: null,
    },
  };
}

/** Vertical channel of the years, with as many labels as fit. */
function buildYears(years: readonly string[], row: number): Spec {
  const every = roundUpYears(fontSize.axis / row);
  const round = years.filter((year) => Number(year) % every === 0);
  return {
    field: "year",
    type: "ordinal",
    scale: { domain: years, padding: 0.04 },
    axis: {
      grid: false,
      labelOverlap: false,
      // The theme's number of ticks would drop some.
      tickCount: years.length,
      title: null,
      values: round.length > 0 ? round : years.slice(0, 1),
    },
  };
}

/** A month or a year of a calendar. */
interface Cell {
  readonly year: string;
  /** Month of the year, "01" to "12", or "Year". */
  readonly column: string;
  /** Figure that decides its class; `null` for a cell without data. */
  readonly value: number | null;
  /** The formatted figure. */
  readonly figure: string | undefined;
  readonly state: string;
}

interface Calendar {
  readonly columns: readonly string[];
  readonly years: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Bounds of the classes; there is one more colour than bounds. */
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
  /** Title of the classes in the legend. */
  readonly title: string;
  /** States with a mark, if they occur: first the one without data (a cross), then the one that may change (a corner). */
  readonly states: readonly string[];
  readonly tooltip: readonly Spec[];
}

/** A calendar: a row per year, a column per month, coloured by class, with the figure if it fits. */
export function buildCalendar(
  cells: readonly Cell[],
  { columns, years, width, height, bounds, colors, title, states, tooltip }: Calendar,
): Spec[] {
  const [step, row] = [width / columns.length, height / years.length];
  const [x, y] = [buildColumns(columns, step), buildYears(years, row)];
  const [known, unknown] = ["isValid(datum.value)", "!isValid(datum.value)"];
  const widest = Math.max(
    ...cells.map(({ figure }) => figure === undefined ? 0 : measureText(figure, fontSize.axis)),
  );
  const occurring = states.filter((state) => cells.some((cell) => cell.state === state));
  const shapes = occurring.map((state) => state === states[0] ? CROSS : CORNER);
  const legend = { direction: "horizontal", title, labelOverlap: false, titleLimit: width };
  // the darkest class needs white figures
  const dark = { test: `datum.value >= ${bounds[bounds.length - 1]}`, value: "white" };
  const condition = colors.at(-1) === diverging.at(-1) ? { condition: dark } : {};
  return listGiven(
    mark("rect", { where: unknown, x, y, color: palette.missing }),
    mark("rect", {
      where: known,
      x,
      y,
      color: {
        ...quantity("value", { type: "threshold", domain: bounds, range: colors }),
        legend,
      },
    }),
    !(step < widest + 2 || row < MIN_FIGURE_HEIGHT) && label("figure", {
      ...{ where: known, x, y, color: { ...condition, value: palette.black } },
    }),
    ...occurring.map((state, i) =>
      mark("point", {
        where: { field: "state", equal: state },
        x,
        y,
        shape: {
          field: "state",
          type: "nominal",
          scale: { domain: occurring, range: shapes },
          legend: { orient: "bottom", symbolOpacity: 1, symbolStrokeWidth: 0 },
        },
        fill: palette.black,
        strokeWidth: 0,
        ...(shapes[i] === CORNER
          ? { size: 26, xOffset: step / 2 - 5, yOffset: 4.5 - row / 2 }
          : { size: Math.min(36, row ** 2 / 4) }),
      })
    ),
    mark("rect", { x, y, opacity: 0, tooltip }),
  );
}
