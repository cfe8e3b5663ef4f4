import type { DataFrame } from "nodejs-polars";
import { month } from "../../api/columns/columns.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { findRuns } from "../../screening/finding.ts";
import { checkFrame } from "../../show/check_frame.ts";
import type { TimeRange } from "../../show/options/range.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatMonthSpan } from "../../show/text/numbers.ts";
import { sumOf } from "../../stats/spread.ts";
import { HOUR, positionAtOrAfter } from "../../time/hourly.ts";
import { monthAsDays, monthAt, startOfMonth } from "../../time/zones.ts";
import { checkInput } from "../check_performance/check_performance.ts";
import type { CheckedHours, CheckResult } from "../check_performance/check_result.ts";
import { combineIntervals, cutLosses } from "../check_performance/losses/lost_energy.ts";
import type { TurbineFacts } from "../check_performance/options.ts";
import { type Answer, buildAnswer, listReadings, writeFindings } from "../series/answer.ts";
import {
  CATEGORIES,
  type Category,
  isCounted,
  listHourEdges,
  mayRun,
  NO_INFORMATION,
  readCategory,
  readEnds,
  readStates,
  type StateOptions,
  sumStates,
  type TurbineStates,
  UNCLASSIFIED,
} from "../series/turbine_states.ts";
import { readTurbineStamps, zoneOfDetails } from "../series/turbine_stamps.ts";
import { categoryColumns, monthColumns } from "./columns.ts";
import { type AvailabilityFinding, type StateSource, units, words } from "./words.ts";

/**
 * How a category counts. Its time and energy are available or unavailable; if `limited`, its time is available but its
 * lost energy is lost; if left out, it does not count.
 */
export type Counting = "available" | "limited" | "unavailable" | "left out";

const COUNTINGS: readonly Counting[] = ["available", "limited", "unavailable", "left out"];

/**
 * How categories count unless a contract says otherwise. IEC 61400-26 has several views, whose lists were not read
 * (*assumed*): this one asks whether the turbine could run, no matter who stopped it. Weather outside of its
 * specification, including calms, is no stop. Only time without information is left out; all other categories count as
 * unavailable.
 */
const OPERATIONAL: Readonly<Record<string, Counting>> = {
  "Full Performance": "available",
  "Partial Performance": "limited",
  "Out of Environmental Specification": "available",
  [NO_INFORMATION]: "left out",
};

/** Options of {@linkcode measureAvailability}. */
export interface MeasureAvailabilityOptions extends StateOptions {
  /**
   * Hourly model data of the turbine, for energies; required for production alone. @default none: availability by time
   * only
   */
  readonly predicted?: DataFrame;
  /** Production of the turbine in hours or finer, for the energies of events or counters. @default none: availability by time only */
  readonly production?: DataFrame;
  /** Details of the turbine: its zone sets the months, and its rated power defines a standstill. @default none: the zone of the model data, or of the events */
  readonly details?: TurbineFacts;
  /**
   * How categories count in a contract: `"available"`, `"limited"`, `"unavailable"` or `"left out"`; those not listed
   * count as by default. @default none
   */
  readonly contract?: Readonly<Record<string, Counting>>;
}

/** Availability under one table of how categories count, %; `null` if unknown. */
export interface Availability {
  /** Available over available and unavailable time. */
  readonly time: number | null;
  /** Produced over produced and lost energy. */
  readonly production: number | null;
  /** Lower end of the 90 % interval of `production`. */
  readonly low: number | null;
  /** Upper end of the 90 % interval of `production`. */
  readonly high: number | null;
}

/** Answer of {@linkcode measureAvailability}. */
export interface AvailabilityMeasured extends Answer {
  /**
   * `months`: `month`, `hours`, `uncovered` (h), `time_availability`, `production_availability` with its ends (%), `lost` with
   * its ends (MWh), and under the contract `contract_time` and `contract_production` (%). `categories`: `category`, how it `counts` and
   * counts in the `contract`, `hours`, `share` (%), and in MWh `expected`, `produced` and `lost` with the ends of its 90 %
   * interval; `monthCategories`, the same for each `month`. Of each, hours sum to the time, and produced and lost to expected.
   */
  readonly frames: {
    readonly months: DataFrame;
    readonly categories: DataFrame;
    readonly monthCategories: DataFrame;
  };
  /** Could the turbine run, no matter who stopped it? In %, `time` and `production` with the ends `low` and `high` of its 90 % interval. */
  readonly operational: Availability;
  /** Under the contract: `time`, `production`, `low` and `high`; `null` without a contract. */
  readonly contract: Availability | null;
}

const OPTIONS = declareOptions<MeasureAvailabilityOptions>()(
  "from to categories order unlogged predicted production details contract",
);

/** Energies of a category, MWh, all unknown (NaN). */
const UNKNOWN = { expected: NaN, produced: NaN, lost: NaN, lost_low: NaN, lost_high: NaN };

/** Time and energies of a category in a period. */
type Part = typeof UNKNOWN & { readonly category: Category; readonly hours: number };

/** How categories count. */
type Table = Readonly<Record<string, Counting>>;

const countOf = (table: Table, { category }: Pick<Part, "category">) =>
  table[category] ?? "unavailable";

/** Sums the losses that count as unavailable or limited; NaN if one is unknown. */
function sumLost(parts: readonly Part[], table: Table) {
  const lossParts = parts.filter((part) => /unavailable|limited/.test(countOf(table, part)));
  const known = parts.some(({ expected }) => expected >= 0);
  return {
    lost: known ? sumOf(lossParts, ({ lost }) => lost || 0) : NaN,
    ...combineIntervals(lossParts),
  };
}

/** Computes the availability of a period from its parts. */
function computeAvailability(parts: readonly Part[], table: Table): Availability {
  const add = (name: "hours" | "produced", counts: RegExp) =>
    sumOf(parts, (part) => counts.test(countOf(table, part)) && part[name] || 0);
  const { lost, lost_low, lost_high } = sumLost(parts, table);
  const share = (up: number, down: number) =>
    Number.isFinite(up / (up + down)) ? 100 * up / (up + down) : null;
  const produced = add("produced", /available|limited/);
  return {
    time: share(add("hours", /^available|limited/), add("hours", /unavailable/)),
    production: share(produced, lost),
    low: share(produced, lost_high),
    high: share(produced, lost_low),
  };
}

/** Builds states from power alone: stops and limits while the model expects power. */
function readPowerStates(
  { timeZone }: CheckResult,
  { axis, produced, expected, stopped, limited }: CheckedHours,
  range: TimeRange,
): TurbineStates {
  const at = (position: number) => axis.start + position * HOUR;
  const isKnown = (i: number) => stopped[i] > 0 || !Number.isNaN(produced[i] + expected[i]);
  const known = [...stopped.keys()].filter(isKnown);
  const [from, to] = readEnds(range, at(known[0]), at(known.at(-1)! + 1), timeZone);
  const spells = known.filter((i) => at(i) >= from && at(i) < to).flatMap((i) => {
    const hour = { from: at(i), to: at(i + 1) };
    const category = limited[i] === 1 ? "Partial Performance" : "Full Performance";
    return [
      { ...hour, category: UNCLASSIFIED, share: stopped[i] } as const,
      { ...hour, category, share: 1 - stopped[i] } as const,
    ];
  });
  return { spells, curtailed: [], from, to, timeZone, notes: [] };
}

/** Splits each hour and its production by category; a stop in a part of an hour produces nothing. */
function splitHours(states: TurbineStates, { axis, produced }: CheckedHours) {
  const times = sumStates(states, listHourEdges(axis));
  const running = produced.map((_, i) =>
    sumOf(CATEGORIES, (category) => mayRun(category) ? times[category][i] : 0)
  );
  return CATEGORIES.map((category) => ({
    share: times[category].map((time) => time / HOUR),
    made: produced.map((power, i) =>
      power *
      (mayRun(category) && running[i] > 0
        ? times[category][i] / running[i]
        : running[i] > 0
        ? 0
        : times[category][i] / HOUR)
    ),
  }));
}

/** Smaller figures are rounding errors of shares, h. */
const LEAST = 1e-6;

const ACTION = "measure the availability";
const refuse: Refuse = buildRefuse(ACTION);

/** Reads the states and, if there are energies, the compared hours. */
function readInput(source: DataFrame, options: MeasureAvailabilityOptions) {
  const { predicted, details } = options;
  const logged = source.columns.includes("from");
  const production = logged ? options.production : source;
  if (!predicted !== !production) {
    refuse(
      logged
        ? "the lost energy needs both { production, predicted }. Give both of them, or omit both to measure only time"
        : "production alone does not show stops. Give { predicted: await modelData(id) }, or the frame from readEvents()",
    );
  }
  const hourly = (frame?: DataFrame) => !frame || frame.columns.includes("time");
  if (!hourly(predicted) || !hourly(production)) {
    refuse(
      "production and model data are not both hourly. Give hourly production and hourly model data",
    );
  }
  const zone = zoneOfDetails(details) ??
    (predicted && readTurbineStamps(predicted, refuse).timeZone);
  const states = logged ? readStates(source, options, refuse, zone) : undefined;
  const checked = production && predicted && checkInput(production, {
    units: 1,
    predicted,
    ...(details && { details }),
    ...(states && { states }),
  });
  return {
    states: states ?? readPowerStates(checked!, checked!.hours!, options),
    timeZone: zone ?? states!.timeZone,
    checked,
    source: (!logged ? "production" : isCounted(source) ? "counters" : "events") as StateSource,
  };
}

/** Measures the parts of each month and of the whole period. */
function measureParts({ states, checked, timeZone }: ReturnType<typeof readInput>) {
  const [first, end] = [monthAt(states.from, timeZone), monthAt(states.to - 1, timeZone)];
  const count = 12 * (end.year - first.year) + end.month - first.month + 1;
  const months = Array.from({ length: count + 1 }, (_, i) => first.add({ months: i }));
  const edges = months.map((month) => startOfMonth(month, timeZone));
  const times = sumStates(states, edges);
  const hours = checked?.hours;
  const split = hours && splitHours(states, hours).map(({ share, made }, c) => {
    // For a category in which the turbine runs, the interval would be the model's, not a loss's.
    const stops = !mayRun(CATEGORIES[c]) || CATEGORIES[c] === "Partial Performance";
    const measureLoss = (from: number, to: number) => hours.computeLoss(from, to, share, made);
    const runs = findRuns(share.length, (i) => stops && share[i] > 0)
      .map((run) => ({ ...run, loss: measureLoss(run.from, run.to) }));
    return { measureLoss, runs };
  });
  const measure = (from: number, to: number) =>
    CATEGORIES.map((category, c): Part => {
      const time = sumOf(times[category].subarray(from, to)) / HOUR;
      if (!hours || !split) return { category, hours: time, ...UNKNOWN };
      const { measureLoss, runs } = split[c];
      const [start, end] = [from, to].map((i) => positionAtOrAfter(hours.axis, edges[i]));
      const losses = cutLosses(runs, start, end, measureLoss);
      return { category, hours: time, ...measureLoss(start, end), ...combineIntervals(losses) };
    }).filter((part) => part.hours > LEAST).reverse();
  return {
    span: formatMonthSpan(first.toString(), end.toString()),
    whole: measure(0, count),
    months: months.slice(0, -1).map((month, i) => ({
      month: monthAsDays(month),
      hours: (edges[i + 1] - edges[i]) / HOUR,
      parts: measure(i, i + 1),
    })),
  };
}

/**
 * Measures the availability of a turbine by the categories of IEC 61400-26: from its status log, from counters of
 * states, or from its power alone.
 *
 * Time-based availability is Ta / (Ta + Tu), available over available and unavailable time; production-based Ea / (Ea + El),
 * produced over produced and lost energy. A table defines how each category counts. By default every stop counts as
 * unavailable, no matter who caused it; weather outside of its specification counts as available, time without information is
 * left out, and a limited turbine is available but its lost energy is lost. `contract` adds a second table. The views of
 * IEC 61400-26 differ, and their lists were not read (*assumed*).
 *
 * If entries of a log or counters overlap, each time counts once, in the first of their categories by `order`: a convention.
 * Reports (Informational, Warning) are not states. An entry without an end lasts to the next one. In counters, time that is neither
 * ready nor a counted stop is a stop without a cause. From power alone, `checkPerformance()` finds the stops and limits,
 * without causes and without shorter stops.
 *
 * `checkPerformance()` computes the energies: lost is the expected energy, scaled by the turbine's ratio outside of stops, less the
 * produced energy; its 90 % interval comes from stretches of normal hours, taken as independent. If a stop takes
 * part of an hour, the production belongs to the rest of it.
 *
 * @param states Events or counters of one turbine as `readEvents()` returns them, or its production in hours or finer
 * @param options `predicted` and `production` for energies, `details`, `contract`, `from` and `to`; `categories`, `order` and `unlogged` of events
 * @returns Availability by time and by production in %, frames by month and category, and sentences
 * @throws {ArgumentError} If a column or the model data are missing, the frame has several turbines, or a category does
 * not exist
 *
 * @example Three stops of a month, and a contract that excludes the grid
 * ```ts
 * import { measureAvailability, pl } from "@vindkit/vindkit";
 * import { assertAlmostEquals, assertEquals } from "@std/assert";
 *
 * const time = (texts: string[]) =>
 *   pl.Series(texts.map((text) => new Date(`${text}Z`))).cast(pl.Datetime("us", "UTC"));
 * const events = pl.DataFrame({
 *   from: time(["2024-03-04T06:00", "2024-03-10T12:00", "2024-03-10T18:00"]),
 *   to: time(["2024-03-05T12:00", "2024-03-10T20:00", "2024-03-11T00:00"]),
 *   category: ["Forced Outage", "Scheduled Maintenance", "Out of Electrical Specification"],
 * });
 * const measured = measureAvailability(events, {
 *   from: "2024-03",
 *   to: "2024-03",
 *   contract: { "Out of Electrical Specification": "left out" },
 * });
 * // 42 of 744 hours: the last two entries share two hours, which count for the grid.
 * assertAlmostEquals(measured.operational.time!, 100 * 702 / 744);
 * assertAlmostEquals(measured.contract!.time!, 100 * 702 / 738);
 * assertEquals(measured.frames.categories.getColumn("hours").sum(), 744);
 * ```
 */
export function measureAvailability(
  states: DataFrame,
  options: MeasureAvailabilityOptions = {},
): AvailabilityMeasured {
  const chosen = readOptions("measureAvailability()", options, OPTIONS);
  checkFrame(states, ACTION, "readEvents()");
  const { predicted, production, details, contract } = chosen;
  for (const [name, counts] of Object.entries(contract ?? {})) {
    readCategory(name, refuse);
    if (COUNTINGS.includes(counts)) continue;
    refuse(`the contract counts "${name}" as "${counts}". Give one of ${COUNTINGS.join(", ")}`);
  }
  const agreed = contract && { ...OPERATIONAL, ...contract };
  const input = readInput(states, chosen);
  const { span, whole, months } = measureParts(input);
  const uncoveredOf = (parts: readonly Part[]) =>
    parts.find(({ category }) => category === NO_INFORMATION)?.hours ?? 0;
  const listParts = (parts: readonly Part[]) =>
    parts.map((part) => ({
      ...part,
      counts: countOf(OPERATIONAL, part),
      contract: agreed && countOf(agreed, part),
      share: 100 * part.hours / sumOf(parts, ({ hours }) => hours),
    }));
  const uncovered = uncoveredOf(whole);
  const operational = computeAvailability(whole, OPERATIONAL);
  const contracted = agreed ? computeAvailability(whole, agreed) : null;
  const { checked, source } = input;
  const unlogged = source === "production" ? [] : (checked?.outages ?? [])
    .filter((stop) => stop.source === "detected");
  const stops = whole.filter((part) => /unavailable|limited/.test(countOf(OPERATIONAL, part)));
  const results: AvailabilityFinding[] = [
    { code: "availability", source, hours: sumOf(whole, (part) => part.hours), ...operational },
    { code: "stops", stops, ...sumLost(whole, OPERATIONAL) },
    ...(contracted ? [{ code: "contract", ...contracted } as const] : []),
  ];
  const notes: AvailabilityFinding[] = [
    ...(uncovered > 0 ? [{ code: "uncovered", hours: uncovered } as const] : []),
    { code: "what_counts" },
    ...(unlogged.length === 0 ? [] : [
      {
        code: "stops_not_in_log",
        count: unlogged.length,
        lost: sumOf(unlogged, (stop) => stop.lost || 0),
      } as const,
    ]),
    ...(source === "production" ? [{ code: "power_alone" } as const] : []),
    ...listReadings(input.states.notes),
  ];
  return buildAnswer({ operational, contract: contracted }, {
    title: `Availability${details?.name ? ` of ${details.name}` : ""}, ${span}`,
    frames: {
      months: {
        title: "Availability by month",
        columns: monthColumns,
        rows: months.map(({ month, hours, parts }) => {
          const usual = computeAvailability(parts, OPERATIONAL);
          const contractual = agreed && computeAvailability(parts, agreed);
          return {
            month,
            hours,
            uncovered: uncoveredOf(parts),
            time_availability: usual.time,
            production_availability: usual.production,
            production_availability_low: usual.low,
            production_availability_high: usual.high,
            ...sumLost(parts, OPERATIONAL),
            contract_time: contractual?.time,
            contract_production: contractual?.production,
          };
        }),
      },
      categories: { title: "By category", columns: categoryColumns, rows: listParts(whole) },
      monthCategories: {
        columns: [month, ...categoryColumns],
        rows: months.flatMap(({ month, parts }) =>
          listParts(parts).map((row) => ({ month, ...row }))
        ),
      },
    },
    findings: writeFindings(words, units, results, notes),
    origin: joinOrigins([states, predicted, production].filter((frame) => frame !== undefined)),
  });
}
