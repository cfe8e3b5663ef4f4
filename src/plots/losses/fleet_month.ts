import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatSigned } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { dot, fixedMark, label, mark, quantity, type Spec } from "../grammar/marks.ts";
import { type Drawn, frameOf, readRows, refusePlot, requireColumns } from "../grammar/read.ts";
import { shortenName } from "../grammar/text.ts";

const PLOT = "the month of a fleet";
const MADE_BY = "summarizeFleet()";

/** The panels, with the column of each. */
const PANELS = { Wind: "wind", Stops: "stops", Curtailment: "limited", Rest: "rest" } as const;

/** Most turbines with legible names. */
const MAX_TURBINES = 60;

/** Width below which panels are stacked, default width of all panels, width of the names next to them, and gap, pixels. */
const [NARROW, USUAL, NAMES, GAP] = [320, 500, 120, 20];

/** Height of a turbine, pixels. */
const ROW = { wide: 32, narrow: 22 } as const;

/** Reads the changes by step at the turbines, % of their normal energy, panel by panel. */
function readPoints(frame: DataFrame) {
  requireColumns(
    frame,
    [turbineId.name, "produced", "normal", ...Object.values(PANELS)],
    PLOT,
    MADE_BY,
  );
  const columns = Object.values(PANELS);
  const ends = columns.flatMap((name) => [`${name}_low`, `${name}_high`] as const);
  const numbers = ["produced", "normal", ...columns, ...ends] as const;
  const rows = readRows(frame, PLOT, numbers, [turbineId.name, "name"]);
  const listPoints = ([panel, column]: [string, typeof columns[number]]) =>
    rows.map((row) => {
      const { turbine_id: id, name, normal } = row;
      const share = (value: number | null) =>
        value === null || !normal ? null : 100 * value / normal;
      const label = name === null || name === id ? `${id}` : `${id} ${name}`;
      return {
        name: shortenName(label, NAMES, fontSize.axis),
        panel,
        change: share(row[column]),
        low: share(row[`${column}_low`]),
        high: share(row[`${column}_high`]),
        /** text in place of a missing point */
        missing: row.produced === null ? "no production" : "part of the rest",
      };
    });
  return (Object.entries(PANELS) as [string, typeof columns[number]][]).flatMap(listPoints);
}

/**
 * Plots the changes by wind, stops, curtailment and the rest at each turbine of a fleet, in % of its normal energy with
 * 90 % intervals: was it the wind or the turbine? Curtailment has a panel only if it occurred. Changes whose
 * interval excludes 0 are red.
 *
 * @param fleet Answer of `summarizeFleet()`, or `turbines` of its `frames`: up to 60 turbines, in their order
 * @param options Title, source, width of all panels next to the names, height of a panel
 * @returns A chart that shows itself in notebooks; below 320 pixels its panels are stacked
 * @throws {ArgumentError} If a column is missing, the frame is empty, or has more turbines
 *
 * @example The wind of two turbines
 * ```ts
 * import { monthlyIndices, plotFleetMonth, summarizeFleet, turbineDetails } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const indices = await monthlyIndices(["T1", "T2"]);
 * const details = [await turbineDetails("T1"), await turbineDetails("T2")];
 * const chart = plotFleetMonth(summarizeFleet(indices, details, { month: "2024-03" }));
 * assertStringIncludes(chart.altText, "T2 Hedegaarden, Wind");
 * ```
 */
export function plotFleetMonth(fleet: Drawn<"turbines">, options: PlotOptions = {}): Chart {
  const chosen = readOptions("plotFleetMonth()", options, plotOptions);
  const frame = frameOf(fleet, "turbines");
  const points = readPoints(frame);
  const names = [...new Set(points.map(({ name }) => name))];
  if (names.length > MAX_TURBINES) {
    refusePlot(
      PLOT,
      `the frame has ${names.length} turbines, but the chart has space for ${MAX_TURBINES} ` +
        `names. Keep the turbines that lost the most: frame.head(${MAX_TURBINES})`,
    );
  }
  const panelNames = Object.keys(PANELS).filter((panel) =>
    panel !== "Curtailment" || points.some((one) => one.panel === panel && one.change)
  );
  const known = points.flatMap(({ change, low, high }) => [change, low, high])
    .filter((value) => value !== null);
  const scale = {
    domain: [Math.min(0, ...known), Math.max(0, ...known)],
    nice: true,
    zero: true,
    padding: 6,
  };
  const isNarrow = (chosen.width ?? USUAL) < NARROW;
  return drawChart(
    PLOT,
    [frame],
    { width: USUAL, ...chosen },
    (isNarrow ? ROW.narrow : ROW.wide) * names.length,
    ({ width, height, view }) => {
      const across = isNarrow ? 1 : panelNames.length;
      const size = {
        width: Math.floor((width - (across - 1) * GAP) / across),
        height,
      };
      const panel = (title: string, i: number): Spec => {
        const data = points.filter((point) => point.panel === title);
        const axis = {
          grid: true,
          labelExpr: "datum.value === 0 ? '0' : format(datum.value, '+~f')",
          tickCount: 4,
        };
        const heading = isNarrow || size.width < 170
          ? `${title} (% of normal)`
          : `${title} (% of a normal month)`;
        const x = (field: string) => quantity(field, scale, { ...axis, title: heading });
        const hasNames = isNarrow || i === 0;
        const y = {
          field: "name",
          type: "nominal",
          sort: names,
          axis: {
            labels: hasNames,
            labelLimit: 0,
            ticks: false,
            domain: false,
            title: null,
            grid: true,
            ...(hasNames && { minExtent: NAMES, maxExtent: NAMES }),
          },
        };
        const color = {
          condition: { test: "datum.low > 0 || datum.high < 0", value: palette.vermilion },
          value: palette.black,
        };
        return view([
          fixedMark("rule", { x: { datum: 0, type: "quantitative" }, color: palette.black }),
          mark("rule", {
            data,
            where: "isValid(datum.low)",
            x: x("low"),
            x2: { field: "high" },
            y,
            color,
            strokeWidth: 2,
          }),
          dot({ data, where: "isValid(datum.change)", x: x("change"), y, color, size: 60 }),
          label("missing", {
            data,
            where: "!isValid(datum.change)",
            x: { value: size.width },
            align: "right",
            dx: -8,
            dy: -7,
            y,
            color: palette.faint,
            fontSize: fontSize.caption,
          }),
        ], size);
      };
      const panels = panelNames.map(panel);
      return {
        title: "Wind or turbine: what changed the energy",
        subtitle: [
          "Changes by wind, stops and the rest, with 90 % intervals.",
          "Red: the interval excludes 0.",
        ],
        views: isNarrow ? panels : [{ spacing: GAP, hconcat: panels }],
        alt: [
          `Points with intervals in ${panelNames.length} panels`,
          points.filter((point) => panelNames.includes(point.panel)).map((
            { name, panel, change },
          ) => `${name}, ${panel}: ${change === null ? "unknown" : `${formatSigned(change, 1)} %`}`)
            .join("; "),
        ],
      };
    },
  );
}
