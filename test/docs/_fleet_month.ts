/**
 * The picture of README.md: a month of the sample's fleet, turbine by turbine, by wind, stops and the rest.
 *
 * @module
 */
import {
  checkPerformance,
  type DataFrame,
  modelData,
  monthlyIndices,
  pl,
  turbineDetails,
  withProvenance,
} from "../../mod.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { fontSize, palette } from "../../src/plots/drawing/theme.ts";
import { drawChart } from "../../src/plots/grammar/chart.ts";
import { fixedMark, mark, quantity } from "../../src/plots/grammar/marks.ts";
import { buildDatetimes, buildNumbers } from "../../src/frames/frame.ts";
import { formatSigned } from "../../src/show/text/numbers.ts";
import { simulateClimate } from "../../src/sample/climate.ts";
import { simulateProduction } from "../../src/sample/production.ts";
import { sampleSites } from "../../src/sample/sites.ts";
import type { Production } from "../../src/windindex/calibration/production.ts";
import { HOUR } from "../../src/time/hourly.ts";

/** The month of the picture: that of the longest stop of T1. */
const MONTH = "2024-03";

/** The panels, and the steps of a check that each shows. */
const PANELS: Readonly<Record<string, readonly string[]>> = {
  Wind: ["Wind"],
  Stops: ["Availability"],
  "The rest": ["Unexplained", "Availability and unexplained"],
};

/** Production of the sample as a frame: hourly, or of months. */
function toFrame(production: Production): DataFrame {
  if (production.kind === "hourly") {
    const { axis, power } = production;
    const stamps = Float64Array.from(power, (_, i) => axis.start + i * HOUR);
    return pl.DataFrame([buildDatetimes("time", stamps), buildNumbers("power", power)]);
  }
  return pl.DataFrame({
    month: production.periods.map(({ label }) => new Date(`${label}-01T00:00Z`)),
    energy: production.periods.map(({ energy }) => energy / 1000),
  }).withColumns(pl.col("month").cast(pl.Date));
}

/** What each step changed at a turbine in the month, % of its normal energy; null where the production cannot say. */
async function readSteps(id: string, produced: Production) {
  const [details, indices] = await Promise.all([turbineDetails(id), monthlyIndices(id)]);
  const predicted = await modelData(id, { from: 2021, to: 2024 });
  const production = withProvenance(toFrame(produced), predicted);
  const check = checkPerformance(production, { predicted, details, indices, month: MONTH });
  const steps = check.frames.steps.toRecords() as Record<string, number | null>[];
  const normal = steps[0].energy!;
  const share = (energy: number | null) => energy === null ? null : 100 * energy / normal;
  return Object.values(PANELS).map(([step, ...others]) => {
    const found = steps.find((one) => [step, ...others].includes(String(one.step)));
    const [change, low, high] = [found?.energy, found?.energy_low, found?.energy_high]
      .map((energy) => share(energy ?? null));
    return { name: `${id} ${details.name}`, step, change, low, high, source: check.frames.steps };
  });
}

/** Draws the month of those turbines of the sample that have production by hours or months. */
export async function drawFleetMonth(): Promise<Chart> {
  const rows: Awaited<ReturnType<typeof readSteps>> = [];
  for (const site of sampleSites) {
    const climate = simulateClimate(site);
    for (const turbine of site.turbines) {
      const production = simulateProduction(site, turbine, climate);
      if (turbine.units > 1 || production === null) continue;
      rows.push(...await readSteps(turbine.id, production));
    }
  }
  const ends = rows.flatMap(({ low, high, change }) => [low, high, change]).filter((one) =>
    one !== null
  );
  const scale = { domain: [Math.min(...ends), Math.max(...ends)], nice: true, zero: true };
  const names = [...new Set(rows.map(({ name }) => name))];
  const axis = { grid: true, labelExpr: "format(datum.value, '+~f')", tickCount: 4 };
  const y = (named: boolean) => ({
    field: "name",
    type: "nominal",
    sort: names,
    axis: { labels: named, labelLimit: 0, ticks: false, domain: false, title: null, grid: true },
  });
  const from = rows.map(({ source }) => source);
  return drawChart(
    {
      what: "the month of a fleet",
      from,
      options: { theme: "auto", bare: false, width: 580 },
      height: 32 * names.length,
    },
    ({ height, view }) => {
      const size = { width: 150, height };
      const panel = ([title, [step]]: [string, readonly string[]], i: number) => {
        const data = rows.filter((row) => row.step === step).map(({ source: _, ...row }) => row);
        const x = (field: string) =>
          quantity(field, scale, { ...axis, title: `${title} (% of a normal month)` });
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
            y: y(i === 0),
            color,
            strokeWidth: 2,
          }),
          mark("point", {
            data,
            where: "isValid(datum.change)",
            x: x("change"),
            y: y(i === 0),
            color,
            filled: true,
            opacity: 1,
            size: 60,
          }),
          mark("text", {
            data,
            where: "!isValid(datum.change)",
            x: { value: size.width },
            align: "right",
            dx: -8,
            dy: -7,
            y: y(i === 0),
            text: { value: "part of the rest" },
            color: palette.faint,
            fontSize: fontSize.caption,
          }),
        ], size);
      };
      return {
        title: "Wind or turbine? March 2024 of a fleet",
        subtitle: [
          "What wind, stops and the rest changed, with 90 % intervals.",
          "Red: the interval excludes 0.",
        ],
        views: [{ spacing: 20, hconcat: Object.entries(PANELS).map(panel) }],
        alt: [
          "Points with intervals in three panels",
          rows.map(({ name, step, change }) =>
            `${name}, ${step}: ${change === null ? "unknown" : `${formatSigned(change, 1)} %`}`
          ).join("; "),
        ],
      };
    },
  );
}
