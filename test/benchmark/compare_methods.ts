import { era5 } from "../../mod.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { readSite } from "../../src/sites/import_site.ts";
import {
  combineReanalyses,
  computeCombinedIntervals,
  computeCombinedMonths,
} from "../../src/sites/calibration/combine_reanalyses.ts";
import {
  fitReanalyses,
  type FittedReanalysis,
} from "../../src/sites/calibration/fit_reanalyses.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { fitLine } from "../../src/stats/regression.ts";
import { mean } from "../../src/stats/spread.ts";
import { alignToAxis } from "../../src/time/hourly.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeModelledHours } from "../../src/windindex/reanalyses/modelled_hours.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { computeHourlyPower } from "../../src/windindex/power_model.ts";
import { jsonOfPeer, peerFile, whyWithout } from "../peers/_venv.ts";
import {
  type ComparedMonths,
  listComparedMonths,
  type MonthSpan,
  sumCompared,
} from "../validate/_months.ts";
import { formatPercent, markdownTable } from "../validate/_page_parts.ts";
import { computeHubs } from "../validate/_site_data.ts";

/** Months of training. */
const LENGTHS = [3, 6, 12] as const;

/** Most windows of each length for a turbine, evenly spaced, because adjacent windows overlap. */
const MAX_WINDOWS = 8;

/** Most predicted months after a window; if the record ends sooner, months before the window. */
const MAX_UNSEEN = 12;

/** Positions of the months of training and of the predicted months. */
interface Window {
  readonly length: number;
  readonly train: readonly number[];
  readonly unseen: readonly number[];
}

/** An error of a month, and whether its interval contains the production. */
interface MonthError {
  readonly method: string;
  readonly length: number;
  readonly error: number;
  readonly hit?: boolean;
}

function listWindows(count: number): Window[] {
  return LENGTHS.flatMap((length) => {
    const starts = Math.max(0, count - length + 1);
    const number = Math.min(MAX_WINDOWS, starts);
    return Array.from({ length: number }, (_, i): Window => {
      const first = number === 1 ? 0 : Math.round(i * (starts - 1) / (number - 1));
      const train = Array.from({ length }, (_, j) => first + j);
      const after = Array.from({ length: count }, (_, j) => j).filter((j) => j >= first + length);
      const before = Array.from({ length: first }, (_, j) => first - 1 - j);
      return { length, train, unseen: [...after, ...before].slice(0, MAX_UNSEEN) };
    }).filter(({ unseen }) => unseen.length > 0);
  });
}

/** Compared hours and months of a turbine. */
interface Compared extends ComparedMonths {
  readonly turbine: SiteData["turbines"][number]["turbine"];
  /** Wind speed at the hub of the usual reanalysis, m/s, on the hours of production. */
  readonly wind: Float64Array;
}

const errorsOf = (
  { production, mask, months }: Compared,
  method: string,
  { length, unseen }: Window,
  predict: (span: MonthSpan) => number,
): MonthError[] =>
  unseen.map((i) => ({
    method,
    length,
    error: Math.abs(
      predict(months[i]) / sumCompared(production.power, production, mask, months[i]) - 1,
    ),
  }));

/** Predicts by the index, by one factor, by a line on monthly means, and by the mean of the training. */
function predictBySelf(
  climates: ReturnType<typeof computeHubs>,
  compared: Compared,
  window: Window,
): MonthError[] {
  const { turbine, production, mask, months, wind } = compared;
  const masked = new Uint8Array(mask.length).fill(1);
  for (const i of window.train) {
    const { from, to } = months[i];
    masked.set(mask.subarray(from, to), from);
  }
  let fitted: FittedReanalysis[];
  try {
    ({ fitted } = fitReanalyses(climates, [{ production, masked }], turbine, null));
  } catch (error) {
    if (error instanceof ArgumentError) return []; // too few hours
    throw error;
  }
  const combined = combineReanalyses(fitted, turbine, null);
  const energies = computeCombinedMonths(combined, turbine);
  const reference = chooseReferencePeriod(energies);
  const intervals = computeCombinedIntervals(combined, turbine, { months: energies, reference });
  const { hub, training } = combined.main;
  const plain = computeTrainingEnergies(training.set, hub, turbine, ["factor"]);
  const factor = computeModelledHours(turbine, calibrate(plain, []), hub);
  const align = ({ axis, power }: typeof factor) => alignToAxis(production.axis, axis, power);
  const [index, one] = [align(combined.hours), align(factor)];
  const sum = (values: Float64Array, span: MonthSpan) =>
    sumCompared(values, production, mask, span);
  const hoursOf = (span: MonthSpan) => sum(production.power.map(() => 1), span);
  const means = (values: Float64Array) =>
    window.train.map((i) => sum(values, months[i]) / hoursOf(months[i]));
  const powers = means(production.power);
  const line = fitLine(means(wind), powers);
  const average = mean(powers);
  const byIndex = errorsOf(compared, "Vindkit, index", window, (span) => sum(index, span));
  return [
    ...byIndex.map((result, k) => {
      const span = months[window.unseen[k]];
      const at = energies.findIndex((month) => formatMonthLabel(month) === span.label);
      const share = sum(production.power, span) / sum(index, span);
      const { low, high } = intervals[at]!;
      const energy = energies[at].energy!;
      return { ...result, hit: low / energy <= share && share <= high / energy };
    }),
    ...errorsOf(compared, "Vindkit, one factor", window, (span) => sum(one, span)),
    ...errorsOf(
      compared,
      "monthly regression on wind",
      window,
      (span) =>
        line
          ? line.intercept * hoursOf(span) + line.slope * sum(wind, span)
          : average * hoursOf(span),
    ),
    ...errorsOf(compared, "mean of the training", window, (span) => average * hoursOf(span)),
  ];
}

/** Why the peers cannot run here. */
const withoutPeers = whyWithout("pandas", "sklearn");

/** Predicts with other tools, in Python, from the same hours. */
async function predictByPeers(
  climates: ReturnType<typeof computeHubs>,
  compared: Compared,
  windows: readonly Window[],
): Promise<MonthError[]> {
  const { production, mask, months } = compared;
  const columns = climates.flatMap(({ hub }) =>
    [hub.windSpeed, hub.windDirection, hub.logDensityRatio].map((values) =>
      alignToAxis(production.axis, hub.axis, computeHourlyPower(values, hub.stamp))
    )
  );
  const rows = months.flatMap(({ from, to }, month) =>
    Array.from({ length: to - from }, (_, offset) => from + offset)
      .filter((i) => mask[i] === 0 && !Number.isNaN(production.power[i]))
      .map((i) => {
        const time = new Date(production.axis.start + i * 3_600_000).toISOString();
        return [time, month, production.power[i], ...columns.map((column) => column[i])].join();
      })
  );
  const head = ["time", "month", "power", ...columns.map((_, i) => i === 0 ? "wind" : `f${i}`)];
  const predictions = await jsonOfPeer("benchmark.py", {
    args: [JSON.stringify(windows)],
    cwd: peerFile("."),
    env: { OMP_NUM_THREADS: "1" },
    input: [head.join(), ...rows].join("\n"),
  }) as Record<string, readonly Readonly<Record<string, number>>[]>;
  return Object.entries(predictions).flatMap(([method, byWindow]) =>
    windows.flatMap((window, i) =>
      errorsOf(compared, method, window, (span) => byWindow[i][String(months.indexOf(span))])
    )
  );
}

/**
 * Predicts unseen months from windows of other months of a site's hourly production, by each method.
 *
 * @param path Its site file
 * @param peers Whether to compare other tools, if they are installed
 * @returns Lines of a table: mean absolute errors by method and months of training, and hits of Vindkit's intervals
 */
export async function compareMethods(path: string, peers = true): Promise<string[]> {
  const data = await readSite(await readSiteFile(path), { era5 });
  const errors: MonthError[] = [];
  for (const [position, { turbine, production }] of data.turbines.entries()) {
    if (production[0]?.kind !== "hourly") continue;
    const climates = computeHubs(data, turbine);
    const [{ hub }] = climates;
    const months = listComparedMonths(data, position, true);
    const speed = computeHourlyPower(hub.windSpeed, hub.stamp);
    const wind = alignToAxis(months.production.axis, hub.axis, speed);
    const compared: Compared = { ...months, turbine, wind };
    const windows = listWindows(compared.months.length);
    for (const window of windows) errors.push(...predictBySelf(climates, compared, window));
    if (peers && !withoutPeers) errors.push(...await predictByPeers(climates, compared, windows));
  }
  if (errors.length === 0) {
    throw new Error(
      `Cannot compare methods at ${data.site}: no turbine has hours of four months and more`,
    );
  }
  const known = (method: string, length: number) =>
    errors.filter((result) =>
      result.method === method && result.length === length && Number.isFinite(result.error)
    );
  const rows = [...new Set(errors.map(({ method }) => method))].map((method) => [
    method,
    ...LENGTHS.map((length) => {
      const group = known(method, length);
      if (group.length === 0) return "-";
      const judged = group.filter(({ hit }) => hit !== undefined);
      const hits = judged.length === 0
        ? ""
        : `, ${(100 * mean(judged.map(({ hit }) => Number(hit)))).toFixed(0)} % in the interval`;
      return `${formatPercent(100 * mean(group.map(({ error }) => error)))}${hits}`;
    }),
  ]);
  return [
    `## ${data.site}`,
    "",
    ...markdownTable(["method", ...LENGTHS.map((length) => `${length} months`)], rows),
    "",
    ...(peers && withoutPeers
      ? [`Without gradient boosting and brightwind: ${withoutPeers}.`, ""]
      : []),
  ];
}
