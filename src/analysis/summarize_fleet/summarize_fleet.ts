import type { DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError, NoDataError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { checkOwner, computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { readMonthRange, type TimeRange } from "../../show/options/range.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { doubts, formatPeriod, nameNormal } from "../verdict/words.ts";
import type { PerformanceCheck } from "../check_performance/check_performance.ts";
import { type Answer, buildAnswer, type FindingOf, writeFindings } from "../series/answer.ts";
import { rowOf, valueColumns, type Verdict, verdictColumns } from "../verdict/row.ts";
import { type FleetWind, readFleetWind } from "./fleet_wind.ts";
import {
  buildVerdict,
  compareVerdicts,
  MIN_JUDGED,
  needsLook,
  scaleVerdict,
  sumVerdicts,
} from "../verdict/verdict.ts";
import { sumOf } from "../../stats/spread.ts";
import { formatCount, formatFigures, formatPercent, joinNames } from "../../show/text/numbers.ts";

const [id, name] = pickColumns(turbineDetailsFields, ["turbine_id", "name"]);
const [abnormality] = pickColumns(figures, ["month_abnormality_index"]);

/** The turbines of `summarizeFleet()`: one verdict per entry, for all its turbines. */
const fleetColumns: readonly Column[] = [
  id,
  name,
  addedColumn("units", "i32", "Turbines", "Number of turbines of the entry; 1 if unknown."),
  ...verdictColumns.slice(1),
  { ...abnormality, label: "Wind of normal", description: "Predicted over normal energy." },
];

/** One more column for an owner. */
const share = addedColumn("share", "f64", "Share", "Share of the owner.", "%");

/** A turbine of a fleet: the row of the frame. */
export interface FleetRow extends Omit<Verdict, "period"> {
  readonly turbine_id: string;
  readonly name: string;
  readonly units: number;
  readonly month_abnormality_index: number | null;
  readonly share?: number;
}

/** Options of {@linkcode summarizeFleet}. */
export interface SummarizeFleetOptions extends TimeRange {
  /**
   * The month, such as "2025-12"; for several give `from` and `to`. @default the last month with production in a check,
   * else with figures
   */
  readonly month?: MonthLike | undefined;
  /** Answers of `checkPerformance()` by turbine, or the reason for none: then only its wind is known. For more than a month they must have the same `from` and `to`. @default none */
  readonly checks?:
    | Readonly<Record<string, Pick<PerformanceCheck, "verdict" | "verdicts"> | string>>
    | undefined;
  /** An owner, such as `{ owner: "A. Hansen", ownership: readOwnership(site) }`: the verdict on their share next to the verdict on the whole. @default none */
  readonly share?: OwnerShare | undefined;
}

/** Was it the wind or the turbines of a fleet? It shows itself in notebooks and on the console. */
export interface FleetSummary extends Answer {
  /** The month, such as "2025-12", or the year, or first and last month. */
  readonly period: string;
  /** The verdict on all of them together. */
  readonly verdict: Verdict;
  /**
   * `turbines`, one row per entry, the largest loss first: `turbine_id`, `name`, `units`, `produced`, `normal` and
   * `deviation` (MWh), the steps `wind`, `density`, `stops`, `limited` and `rest` (MWh) with the ends of their 90 %
   * intervals, the `verdict` with its `causes` and `text`, `month_abnormality_index` (%); with an owner also their
   * `share` (%).
   */
  readonly frames: { readonly turbines: DataFrame };
  /** Number of turbines with figures. */
  readonly units: number;
  /** Energy that the wind offered to all of them, MWh. */
  readonly energy: number;
  /** Their normal energy, MWh. */
  readonly normal: number;
  /** Energy over normal, %: the index of the fleet. */
  readonly index: number;
  /** The verdict on an owner's share. @default none */
  readonly share?: { readonly owner: string; readonly verdict: Verdict };
  /** Turbines without figures for the period. */
  readonly withoutFigures: readonly string[];
}

const ACTION = "summarize a fleet";

const OPTIONS = declareOptions<SummarizeFleetOptions>()("month from to checks share");

/** Most turbines that a summary names. */
const MAX_NAMED = 5;

/** Details that a summary needs. */
export type FleetDetails = Pick<
  TurbineDetails,
  | "turbine_id"
  | "name"
  | "units"
  | "calibrated"
  | "calibration_verdict"
  | "calibration_reason"
  | "reference_from"
  | "reference_to"
>;

/**
 * Answers for each turbine and for the fleet: was it the wind or the turbine?
 *
 * A turbine with a check has its verdict; without one, only its wind is known. The normal energy of a month follows from its
 * prediction and its abnormality index. The sums assume that all turbines share one wind: errors of the wind add up in full, errors
 * of stops are independent. They cover the turbines with production, if these have at least half of the normal energy.
 *
 * @param indices Monthly indices of the turbines, as `monthlyIndices()` returns them for a list
 * @param details Details of the turbines: their names, and how many turbines an entry has
 * @param options `month`, or `from` and `to`; `checks` of their production; `share` of an owner
 * @returns The frame `turbines`, the verdict on the fleet, its wind, and sentences
 * @throws {ArgumentError} If a column is missing, or a turbine has no details or has them twice
 * @throws {NoDataError} If no turbine has figures for the period
 *
 * @example Two turbines in a month, one of them with its production
 * ```ts
 * import {
 *   checkPerformance,
 *   exampleFile,
 *   modelData,
 *   monthlyIndices,
 *   readProduction,
 *   summarizeFleet,
 *   turbineDetails,
 * } from "@vindkit/vindkit";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const indices = await monthlyIndices(["T1", "T2"]);
 * const details = [await turbineDetails("T1"), await turbineDetails("T2")];
 * const file = await exampleFile("production.csv");
 * const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
 * const T1 = checkPerformance(await readProduction(file, meter), {
 *   predicted: await modelData("T1"),
 *   indices: await monthlyIndices("T1"),
 *   details: details[0],
 * });
 * const fleet = summarizeFleet(indices, details, { month: "2024-03", checks: { T1 } });
 * assertEquals(fleet.units, 2);
 * assertMatch(fleet.frames.turbines.getColumn("text").get(0), /^It was the turbine: stops cost/);
 * ```
 */
export function summarizeFleet(
  indices: DataFrame,
  details: readonly FleetDetails[],
  options: SummarizeFleetOptions = {},
): FleetSummary {
  const { month, from, to, checks = {}, share: ownerShare } = readOptions(
    "summarizeFleet()",
    options,
    OPTIONS,
  );
  checkFrame(indices, ACTION, "monthlyIndices()");
  const ids = checkDetails(indices, details);
  const verdicts = Object.values(checks).flatMap((check) =>
    typeof check === "string" ? [] : check.verdicts
  );
  const isYear = ({ period }: Verdict) => period.length === 4;
  const judged = verdicts.filter(({ completeness }) => (completeness ?? 1) >= MIN_JUDGED);
  const lastOf = (some: readonly Verdict[]) => some.map(({ period }) => period).sort().at(-1);
  const lastYear = verdicts.every(isYear) ? lastOf(judged) : undefined;
  const range = month !== undefined
    ? { from: toMonth(month), to: toMonth(month) }
    : from === undefined && to === undefined && lastYear !== undefined
    ? readMonthRange({ from: lastYear, to: lastYear }, "any")
    : readMonthRange({ from, to }, "any");
  const produced = verdicts.flatMap((one) =>
    isYear(one) ? [`${one.period}-01`, `${one.period}-12`] : one.period
  );
  const lastJudged = lastOf(judged.filter((one) => !isYear(one)));
  const wind = readFleetWind(indices, details, range, produced, lastJudged, ACTION);
  if (wind.turbines.size === 0) {
    const [first, last] = wind.known;
    const isEarly = wind.months[wind.months.length - 1] < last;
    throw new NoDataError(
      `Cannot ${ACTION}: no turbine has figures for ${wind.period}. ` +
        (isEarly
          ? `The first month with figures is ${first}. Give this month or a later one`
          : `The last month with figures is ${last}. Give this month or an earlier one`),
    );
  }
  if (ownerShare) checkOwner(ownerShare, ACTION);
  const verdictOf = (id: string) => {
    const check = Object.hasOwn(checks, id) ? checks[id] : undefined;
    const { verdict } = wind.turbines.get(id)!;
    if (!check) return verdict;
    const measured = typeof check === "string"
      ? undefined
      : [check.verdict, ...check.verdicts].find(({ period }) => period === wind.period);
    if (measured) {
      return verdict.useless
        ? buildVerdict(measured, { ...verdict, note: measured.note })
        : measured;
    }
    if (verdict.useless) return verdict;
    if (typeof check === "string") {
      return buildVerdict(verdict, { reason: check.replace(/\.$/, "") });
    }
    return buildVerdict(verdict, { reason: describeCover(check.verdicts, wind) });
  };
  const shareOf = (id: string) =>
    sumOf(wind.months, (month) => computeOwnerShare(ownerShare!, id, month)) /
    wind.months.length;
  const rows = details.filter(({ turbine_id }) => wind.turbines.has(turbine_id))
    .map(({ turbine_id, name, units }): FleetRow & { readonly period: string } => {
      const count = typeof units === "number" ? units : 1;
      const verdict = verdictOf(turbine_id);
      return {
        turbine_id,
        name: name || turbine_id,
        units: count,
        ...(count === 1 ? verdict : scaleVerdict(verdict, count)),
        month_abnormality_index: wind.turbines.get(turbine_id)!.index,
        ...(ownerShare && { share: 100 * shareOf(turbine_id) }),
      };
    })
    .sort((a, b) => compareVerdicts(a, b) || a.turbine_id.localeCompare(b.turbine_id));
  const add = (some: typeof rows, factorOf: (row: FleetRow) => number) => {
    const units = some.map(({ units }) => units);
    const sum = sumVerdicts(some.map((row) => scaleVerdict(row, factorOf(row))), units);
    if (sum.produced !== null) return sum;
    // Then only the wind counts: of whole months, as in `energy`, not of the hours compared.
    return sumVerdicts(
      some.map((row) => {
        const { verdict } = wind.turbines.get(row.turbine_id)!;
        const { produced } = row;
        return { ...scaleVerdict(verdict, row.units * factorOf(row)), produced };
      }),
      units,
    );
  };
  const verdict = add(rows, () => 1);
  const owned = rows.filter(({ share }) => share);
  const ofShare = ownerShare && owned.length > 0
    ? {
      owner: ownerShare.owner,
      verdict: add(owned, ({ share }) => share! / 100),
    }
    : undefined;
  const sums = [...wind.turbines].map(([id, { energy, normal }]) => {
    const units = rows.find(({ turbine_id }) => turbine_id === id)!.units;
    return { energy: units * energy, normal: units * normal, units };
  });
  const sum = (name: "energy" | "normal" | "units") => sumOf(sums, (one) => one[name]);
  const [energy, normal, units] = [sum("energy"), sum("normal"), sum("units")];
  const useless = rows.filter((row) => row.useless).map(({ name }) => name);
  const withoutFigures = ids.filter((id) => !wind.turbines.has(id));
  const findings: FleetFinding[] = [
    { code: "verdict", ...verdict },
    ...(useless.length > 0 ? [{ code: "useless", turbines: useless } as const] : []),
    ...rows.filter(needsLook).slice(0, MAX_NAMED)
      .map(({ name, text }): FleetFinding => ({ code: "turbine", name, text })),
    {
      code: "wind_of_fleet",
      period: wind.period,
      turbines: units,
      energy,
      index: 100 * energy / normal,
    },
    ...(ofShare
      ? [{ code: "owner_share", owner: ofShare.owner, text: ofShare.verdict.text } as const]
      : []),
    ...(withoutFigures.length > 0
      ? [{ code: "without_figures", turbines: withoutFigures } as const]
      : []),
  ];
  const figures = {
    period: wind.period,
    verdict,
    units,
    energy,
    normal,
    index: 100 * energy / normal,
    withoutFigures,
    ...(ofShare && { share: ofShare }),
  };
  return buildAnswer(figures, {
    title: `Wind or turbines? The fleet in ${formatPeriod(wind.period)}`,
    frames: {
      turbines: {
        title: "Turbines, the largest loss first",
        columns: [...fleetColumns, ...(ownerShare ? [share] : []), ...valueColumns(rows)],
        rows: rows.map(rowOf).map(({ period: _, ...row }) => row),
      },
    },
    findings: writeFindings<typeof words>(words, figureUnits, findings),
    origin: joinOrigins([indices, ...details]),
  });
}

/** Describes the period that the production of a turbine covers, if it is not the requested one. */
function describeCover(
  verdicts: readonly Verdict[],
  { months }: Pick<FleetWind, "months">,
): string {
  if (verdicts.length === 0) return doubts.notCovered;
  const [first, last] = [verdicts[0].period, verdicts[verdicts.length - 1].period];
  const isYears = first.length === 4;
  const isWithin = `${first}-01` <= months[0] && months[months.length - 1] <= `${last}-12`;
  if (isYears && isWithin) {
    return `the production is annual, ${first} to ${last}, so ask for a year`;
  }
  if (first <= months[0] && months[months.length - 1] <= last) return doubts.notCovered;
  return `the production covers ${
    formatPeriod(`${first} to ${last}`)
  }, so ask for a time within it`;
}

/** Checks that each turbine has details exactly once; returns the turbines of the indices. */
function checkDetails(indices: DataFrame, details: readonly FleetDetails[]): string[] {
  if (!Array.isArray(details)) {
    throw new ArgumentError(
      `Cannot ${ACTION}: the details are ${describeValue(details)}, not a list. ` +
        "Give the answers of turbineDetails() as a list, one for each turbine",
    );
  }
  const ids = [...new Set(indices.getColumn(id.name).toArray().map(String))];
  const missing = ids.filter((id) => !details.some(({ turbine_id }) => turbine_id === id));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot ${ACTION}: details of ${
        missing.join(", ")
      } are missing. Load them with turbineDetails()`,
    );
  }
  const listed = details.map(({ turbine_id }) => turbine_id);
  const repeated = listed.find((id, i) => listed.indexOf(id) < i);
  if (repeated !== undefined) {
    throw new ArgumentError(
      `Cannot ${ACTION}: details of ${repeated} are given twice. Give them once`,
    );
  }
  return ids;
}

/** Units of the figures of findings, by name. */
const figureUnits = {
  energy: "MWh",
  normal: "MWh",
  produced: "MWh",
  deviation: "MWh",
  deviation_share: "%",
  index: "%",
} as const;

/** Sentences of the summary of a fleet, by finding code. */
export const words = {
  verdict: ({ text }: Verdict) => text,
  turbine: ({ name, text }: { name: string; text: string }) => `${name}: ${text}`,
  wind_of_fleet: (
    { period, turbines, energy, index }: {
      period: string;
      turbines: number;
      energy: number;
      index: number;
    },
  ) =>
    `With the wind of ${formatPeriod(period)}, ${
      formatCount(turbines, "turbine")
    } would have produced ${formatFigures([energy], "MWh")}, ${formatPercent(index)} of ${
      nameNormal(period)
    }.`,
  owner_share: ({ owner, text }: { owner: string; text: string }) => `Share of ${owner}: ${text}`,
  useless: ({ turbines }: { turbines: readonly string[] }) =>
    `The calibration of ${
      joinNames(turbines)
    } is useless, because the modelled wind does not explain the production. Do not rely on this part of the totals.`,
  without_figures: ({ turbines }: { turbines: readonly string[] }) =>
    `${joinNames(turbines)} ${turbines.length === 1 ? "has" : "have"} no figures for this period.`,
};

/** Findings of the summary of a fleet. */
export type FleetFinding = FindingOf<typeof words>;
