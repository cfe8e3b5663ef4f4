import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { chooseRoundStep, pickClassColors } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildHaloText,
  buildKindColor,
  mark,
  quantity,
  type Spec,
  SQUARES,
} from "../grammar/marks.ts";
import {
  assertSpeeds,
  chooseRowWord,
  chooseSpeedColumn,
  findColumn,
  findDirectionColumn,
  formatStampSpan,
  readFiniteNumbers,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import {
  buildCompassLabels,
  computeRoseFigures,
  formatSector,
  LEFT_OUT,
  type RoseFigures,
  SECTOR_COUNTS,
  type SectorCount,
} from "./rose_figures.ts";

/** Share of a sector's angle that is filled by its petal. */
const PETAL = 0.86;

/** Pieces of petals, with their positions in the picture: angles in radians clockwise from the top, radii in pixels. */
function buildPetals(
  { shares }: RoseFigures,
  pixels: (share: number) => number,
): Spec[] {
  const angle = 2 * Math.PI / shares.length;
  return shares.flatMap((classes, sector) => {
    const total = computeSum(classes);
    let below = 0;
    return classes.flatMap((share, i) => {
      if (share === 0) return [];
      const inner = below;
      below += share;
      return [{
        sector: formatSector(sector, shares.length),
        speeds: CLASSES[i],
        share,
        total,
        from: (sector - PETAL / 2) * angle,
        to: (sector + PETAL / 2) * angle,
        inner: pixels(inner),
        outer: pixels(below),
      }];
    });
  });
}

/** Sum of shares. */
function computeSum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Channels of arcs. */
const arcs = {
  theta: quantity("from", null),
  theta2: { field: "to" },
  radius: { ...quantity("outer", null), stack: null },
  radius2: { field: "inner" },
};

/** Circles of equal share, drawn under the petals. */
function buildRings(radii: readonly number[]): Spec {
  const data = radii.map((radius) => ({
    from: 0,
    to: 2 * Math.PI,
    inner: radius - 0.4,
    outer: radius + 0.4,
  }));
  return mark("arc", { data, ...arcs, color: palette.missing });
}

/** Angle between the two sectors with the shortest petals, rad, for the labels of the rings. */
function findQuietAngle({ shares }: RoseFigures): number {
  const totals = shares.map(computeSum);
  const between = totals.map((total, i) => Math.max(total, totals[(i + 1) % totals.length]));
  return (between.indexOf(Math.min(...between)) + 0.5) * 2 * Math.PI / shares.length;
}

/** Options of {@linkcode plotWindRose}. */
export interface PlotWindRoseOptions extends PlotOptions {
  /** Column of wind speeds, m/s. @default {"wind_speed"}, or the speed at the greatest height */
  readonly speed?: string;
  /** Column of directions that the wind comes from, deg. @default the column that belongs to the speeds */
  readonly direction?: string;
  /** Number of sectors; the first is centred on north. @default {12} */
  readonly sectors?: SectorCount;
  /**
   * Quantity whose shares the petals show: hours, or energy (column `power`; without it the energy of the wind, with
   * `air_density`). @default {"hours"}
   */
  readonly weight?: "hours" | "energy";
}

const PLOT = "the wind rose";
const MADE_BY = "modelData() or orderAndWait()";

/** Space around the rose for the directions, pixels. */
const MARGIN = 26;

const [powerColumn, densityColumn] = pickColumns(modelDataCsv, ["power", "air_density"]);

/** Bounds between the speed classes, and the speed below which an hour counts as calm, for any direction, m/s. */
const BOUNDS = [4, 8, 12, 16, 20];
const CALM = 0.5;

const CLASSES = [
  `Under ${BOUNDS[0]}`,
  ...BOUNDS.slice(1).map((bound, i) => `${BOUNDS[i]} to ${bound}`),
  `${BOUNDS[BOUNDS.length - 1]} and more`,
];

/** Weight of each row, and the word for the sum of the weights. */
function chooseWeights(
  frame: DataFrame,
  speeds: Float64Array,
  weight: "hours" | "energy",
): { readonly weights?: Float64Array; readonly of: string } {
  if (weight === "hours") return { of: chooseRowWord(frame) };
  if (frame.columns.includes(powerColumn.name)) {
    // A turbine at standstill consumes some power, which is not negative production.
    const weights = readFiniteNumbers(frame, powerColumn.name, PLOT).map((power) =>
      Math.max(0, power)
    );
    return { weights, of: "the energy produced" };
  }
  if (frame.columns.includes(densityColumn.name)) {
    const densities = readFiniteNumbers(frame, densityColumn.name, PLOT);
    return {
      weights: speeds.map((speed, i) => densities[i] * speed ** 3),
      of: "the wind's energy",
    };
  }
  throw new ArgumentError(
    `Cannot plot ${PLOT} by energy: the frame has neither "${powerColumn.name}" nor ` +
      `"${densityColumn.name}". Add one of these columns, or plot the hours`,
  );
}

function formatLeftOut(leftOut: RoseFigures["leftOut"], rows: number, word: string): string {
  const reasons = Object.entries(LEFT_OUT).map(([why, words]) =>
    [leftOut[why as keyof typeof LEFT_OUT], words] as const
  ).filter(([count]) => count > 0);
  if (reasons.length === 0) return `All ${formatNumber(rows)} ${word} counted`;
  const sum = reasons.reduce((total, [count]) => total + count, 0);
  return `${formatNumber(sum)} of ${formatNumber(rows)} ${word} left out: ` +
    reasons.map(([count, why]) => `${formatNumber(count)} ${why}`).join(", ");
}

const OPTIONS = declareOptions<PlotWindRoseOptions>()("speed direction", {
  sectors: 12,
  weight: "hours",
}, plotOptions);

/** The rose on its canvas: rings of shares, petals of sectors and speed classes, and directions around it. */
function buildRose(
  figures: RoseFigures,
  { width, height }: { readonly width: number; readonly height: number },
  { speeds, of }: { readonly speeds: string; readonly of: string },
): Spec[] {
  const sectors = figures.shares.length;
  const radius = Math.max(20, Math.min(width, height) / 2 - MARGIN);
  const most = Math.max(...figures.shares.map(computeSum));
  const step = chooseRoundStep(most > 0 ? 100 * most : 100, 4);
  const count = Math.max(1, Math.ceil(100 * most / step - 1e-9));
  const rings = Array.from({ length: count }, (_, i) => (i + 1) * step);
  const toPixels = (share: number) => radius * 100 * share / rings[rings.length - 1];
  const at = (angle: number, distance: number) => ({
    x: width / 2 + distance * Math.sin(angle),
    y: height / 2 - distance * Math.cos(angle),
  });
  const quiet = findQuietAngle(figures);
  const labels = buildCompassLabels(sectors)
    .map((label) => ({ ...label, ...at(label.degrees * Math.PI / 180, radius + 14) }));
  const colors = pickClassColors(CLASSES.length);
  return [
    buildRings(rings.map((ring) => toPixels(ring / 100))),
    mark("arc", {
      data: buildPetals(figures, toPixels),
      ...arcs,
      color: buildKindColor("speeds", CLASSES.map((name, i) => [name, colors[i]]), {
        ...SQUARES,
        columns: Math.max(1, Math.min(CLASSES.length, Math.floor(width / 95))),
        title: speeds,
      }),
      stroke: "white",
      strokeWidth: sectors === 36 ? 0.2 : 0.5,
      tooltip: [
        { field: "sector", title: "From", type: "nominal" },
        { field: "speeds", title: speeds, type: "nominal" },
        buildFigureField("share", `Share of ${of}`, ".1%"),
        buildFigureField("total", "Whole sector", ".1%"),
      ],
    }),
    ...buildHaloText(
      rings.map((ring) => ({ label: `${ring} %`, ...at(quiet, toPixels(ring / 100)) })),
      { color: palette.text, fontSize: fontSize.caption },
    ),
    ...[false, true].flatMap((main) =>
      buildHaloText(labels.filter((label) => label.main === main), {
        color: palette.text,
        ...(main
          ? { fontSize: fontSize.subtitle, fontWeight: "bold" }
          : { fontSize: fontSize.caption }),
      })
    ),
  ];
}

/**
 * Plots a wind rose: how often the wind blows from each direction, and at which speeds. North is at the top, and the length
 * of a petal is the share of its sector. The number of rows without a direction is below the rose.
 *
 * @param frame Frame from `modelData()` or `orderAndWait()`, of one turbine or place
 * @param options Columns of `speed` and `direction`, `sectors`, `weight`,
 * title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, a speed is above 150 m/s, no row has speed and direction, the rows are from several turbines, or an
 * option is out of range
 *
 * @example
 * ```ts
 * import { modelData, plotWindRose } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { from: 2023, to: 2023 });
 * const rose = plotWindRose(hours, { sectors: 16 });
 * assertStringIncludes(rose.altText, "Most of the hours from");
 * ```
 */
export function plotWindRose(frame: DataFrame, options: PlotWindRoseOptions = {}): Chart {
  const chosen = readOptions("plotWindRose()", options, OPTIONS);
  const { sectors, weight } = chosen;
  if (!SECTOR_COUNTS.includes(sectors)) {
    throw new ArgumentError(
      `Cannot plot ${PLOT}: "sectors" is ${sectors}. Give one of ${SECTOR_COUNTS.join(", ")}`,
    );
  }
  const speed = chooseSpeedColumn(frame, chosen.speed);
  const direction = chosen.direction ?? findDirectionColumn(speed);
  requireColumns(frame, [speed, direction], PLOT, MADE_BY);
  const speedLabel = findColumn(speed, [frame, chosen.source]);
  const speeds = readFiniteNumbers(frame, speed, PLOT);
  assertSpeeds(speeds, speed, PLOT);
  const directions = readFiniteNumbers(frame, direction, PLOT);
  const { weights, of } = chooseWeights(frame, speeds, weight);
  const figures = computeRoseFigures({
    ...{ speeds, directions, weights, sectors, bounds: BOUNDS, calm: CALM },
  });
  const word = chooseRowWord(frame);
  const note = formatLeftOut(figures.leftOut, speeds.length, word);
  const totals = figures.shares.map(computeSum);
  if (figures.counted === 0 || computeSum(totals) + figures.calm === 0) {
    refusePlot(
      PLOT,
      `${
        figures.counted === 0 ? `no row can be counted (${note})` : `the sum of ${of} is zero`
      }. Give a frame with values in "${speed}" and "${direction}"`,
    );
  }
  const most = Math.max(...totals);
  const main = formatSector(totals.indexOf(most), sectors);
  const calmLine = `Calm (under ${CALM} ${speedLabel.unit ?? "m/s"}): ${
    formatNumber(100 * figures.calm, 1)
  } % of ${of}`;
  return drawChart(
    PLOT,
    [frame],
    chosen,
    (wide) => Math.min(wide, 400),
    ({ view, subject, ...size }) => ({
      title: ["Wind rose", subject(frame), formatStampSpan(frame)],
      subtitle: [`Length of a petal: share of ${of} with wind from that direction`, calmLine],
      views: [view(
        buildRose(figures, size, { speeds: labelWithUnit(speedLabel), of }),
      )],
      notes: [note],
      alt: [
        `Wind rose of ${sectors} sectors`,
        (most > 0
          ? `Most of ${of === word ? `the ${of}` : of} from ${main}: ` +
            `${formatNumber(100 * most, 1)} %. `
          : "") + `${calmLine}. ${note}`,
      ],
    }),
  );
}
