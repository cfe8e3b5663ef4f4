import pl, { type DataFrame } from "nodejs-polars";
import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import type { Verdict } from "../../src/analysis/verdict/row.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { hoursFrame } from "../validate/_served_site.ts";
import { cleanWorld } from "./_clean_world.ts";
import { simulateWorld } from "./_synthetic_world.ts";

/** Causes in some months of a world; the other months have none. */
export const KINDS = [
  "clean",
  "stops",
  "limits",
  "weak wind",
  "unexplained",
  "two causes",
] as const;

/** A kind of world. */
export type WorldKind = typeof KINDS[number];

/** True changes of the energy of a month, MWh. */
export interface Truth {
  readonly wind: number;
  readonly stops: number;
  readonly limits: number;
  readonly unexplained: number;
}

/** A judged month with its truth. */
export interface JudgedMonth {
  readonly kind: WorldKind;
  readonly verdict: Verdict;
  readonly truth: Truth;
}

/** Share of the months with a cause. */
const OFTEN = 0.25;

/** Years of the reference period of these worlds. */
const [FIRST_YEAR, LAST_YEAR] = [2006, 2025];

const add = (values: Float64Array, from = 0, to = values.length) =>
  values.subarray(from, to).reduce((sum, value) => sum + value, 0) / 1000;

/** Scales the model's power of some hours. */
function scaleModel(model: DataFrame, factors: Float64Array, first: number): DataFrame {
  const power = Float64Array.from(
    model.getColumn("power").toArray() as (number | null)[],
    (value, i) => (value ?? NaN) * (factors[i - first] ?? 1),
  );
  return model.withColumn(pl.Series("power", [...power], pl.Float64));
}

/** Scales the energies of some months in the indices. */
function scaleIndices(indices: DataFrame, factors: ReadonlyMap<string, number>): DataFrame {
  const months = indices.getColumn("month").cast(pl.Utf8).toArray() as string[];
  const scaled = pl.Series(
    "factor",
    months.map((day) => factors.get(day.slice(0, 7)) ?? 1),
    pl.Float64,
  );
  const names = ["predicted_production", "month_index", "month_abnormality_index"];
  return indices.withColumn(scaled)
    .withColumns(...names.map((name) => pl.col(name).mul(pl.col("factor")).alias(name)))
    .drop("factor");
}

/**
 * Draws a world in which the causes of deviations are known, and judges its months.
 *
 * @param number Which world
 */
export function judgeWorld(number: number, kind: WorldKind): JudgedMonth[] {
  const { model, indices, details, hours } = cleanWorld(number);
  const { axis } = hours;
  const world = simulateWorld(number);
  const zone = details.time_zone!;
  const random = new SeededRandom(`verdicts ${number} ${kind}`);
  const rated = details.rated_power!;
  const sums = Array.from({ length: 12 }, () => [0, 0]);
  for (const { year, month, from, to } of world.spans) {
    if (year < FIRST_YEAR || year > LAST_YEAR) continue;
    sums[month - 1][0] += add(world.running, from, to);
    sums[month - 1][1]++;
  }
  const power = hours.power.slice();
  const factors = new Float64Array(axis.length).fill(1);
  const weak = new Map<string, number>();
  const truths = new Map<string, Truth>();
  const limit = rated * (0.3 + 0.3 * random.uniform());
  for (const span of listMonthSpans(axis, zone)) {
    const [from, to] = [Math.max(0, span.from), Math.min(axis.length, span.to)];
    const label = formatMonthLabel(span);
    const happens = kind !== "clean" && random.uniform() < OFTEN;
    const does = (what: WorldKind) => happens && (kind === what || kind === "two causes");
    const truth = { wind: 0, stops: 0, limits: 0, unexplained: 0 };
    if (does("weak wind")) {
      const factor = 0.6 + 0.2 * random.uniform();
      factors.fill(factor, from, to);
      weak.set(label, factor);
      for (let i = from; i < to; i++) power[i] *= factor;
    }
    const [sum, count] = sums[span.month - 1];
    truth.wind = add(power, from, to) - sum / count;
    const change = (
      cause: "stops" | "limits" | "unexplained",
      act: (power: number) => number,
      first = from,
      end = to,
    ) => {
      const before = add(power, first, end);
      for (let i = first; i < end; i++) power[i] = act(power[i]);
      truth[cause] = add(power, first, end) - before;
    };
    const first = from + random.below(Math.max(1, to - from - 240));
    if (does("stops") && (kind === "stops" || random.uniform() < 0.5)) {
      change("stops", () => 0, first, Math.min(to, first + 72 + random.below(168)));
    } else if (does("limits")) change("limits", (power) => Math.min(power, limit));
    if (happens && kind === "unexplained") {
      const factor = 0.7 + 0.2 * random.uniform();
      change("unexplained", (power) => factor * power);
    }
    truths.set(label, truth);
  }
  const start = model.getColumn("time").cast(pl.Int64).toArray()[0] as bigint | number;
  const offset = (axis.start - Number(start) / 1000) / HOUR;
  const { verdicts } = checkPerformance(hoursFrame(axis.start, { power }, zone), {
    predicted: scaleModel(model, factors, offset),
    indices: scaleIndices(indices, weak),
    details,
  });
  return verdicts.map((verdict) => ({ kind, verdict, truth: truths.get(verdict.period)! }));
}
