import { computeShares, describeShares } from "../../frames/production/period_shares.ts";
import { HOUR } from "../../time/hourly.ts";
import { formatMonthLabel, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import type { CheckResult, OutageResult, OutageSource, PeriodResult } from "./check_result.ts";
import type { ProducedPeriods } from "./produced_series.ts";
import { estimatePeriodsRange } from "./lost_energy.ts";
import type { OutageSpan } from "./named_outages.ts";
import { MIN_COMPLETENESS_OF_RATIO } from "./normal_band.ts";

/** Input of a check of months or years. */
export interface PeriodsInput {
  readonly production: ProducedPeriods;
  /** Expected energy of each of its periods, MWh; missing is NaN. */
  readonly expected: Float64Array;
  /** Effect of air density on it, MWh; missing is NaN. */
  readonly density: Float64Array;
  /** Energy of a normal period of each name, MWh; missing is NaN. */
  readonly normal: Float64Array;
  /** Share of the hours that are compared; NaN where it is unknown. */
  readonly completeness: Float64Array;
  /** Outages that the caller names. */
  readonly named: readonly OutageSpan[];
  /** Finds the periods that were outages: 1 for each, of energies (NaN: not checked), expected energies and hours. */
  readonly outages: (
    energy: Float64Array,
    expected: Float64Array,
    hours: Float64Array,
  ) => Uint8Array;
  /** Zone whose calendar counts. */
  readonly timeZone: string;
}

/** Smallest availability of a period whose ratio counts. */
export const MIN_AVAILABLE = 0.5;

/** A stretch of periods that an outage takes. */
interface Stretch {
  readonly name: string | undefined;
  readonly source: OutageSource;
  readonly periods: number[];
  readonly span: readonly [from: number, to: number];
}

/** Start and end of a month or year in a zone, milliseconds since 1970 UTC. */
export function boundsOf(
  number: number,
  by: "month" | "year",
  timeZone: string,
): [from: number, to: number] {
  const first = by === "month"
    ? monthOfNumber(number)
    : Temporal.PlainYearMonth.from({ year: number, month: 1 });
  const end = first.add(by === "month" ? { months: 1 } : { years: 1 });
  return [startOfMonth(first, timeZone), startOfMonth(end, timeZone)];
}

/** Formats a month or a year: "2018-05" or "2018". */
export function labelOf(number: number, by: "month" | "year"): string {
  return by === "month" ? formatMonthLabel(monthOfNumber(number)) : String(number);
}

/** Finds the outage of each period; a period belongs to one outage at most. */
function findStretches(
  { production, expected, completeness, named, outages }: PeriodsInput,
  bounds: readonly (readonly [number, number])[],
  notes: string[],
): Stretch[] {
  const { kind, numbers, energy, availability } = production;
  const owner = new Map<number, string>();
  const stretches: Stretch[] = [];
  for (const { name, from, to } of named) {
    const touched = [...bounds.keys()].filter((i) => bounds[i][0] < to && bounds[i][1] > from);
    const periods = touched.filter((i) => !owner.has(i));
    for (const i of touched.filter((i) => owner.has(i))) {
      notes.push(
        `${labelOf(numbers[i], kind)} is in "${owner.get(i)}" and in "${name}"; its loss is ` +
          "counted in the first. Give hourly production to separate them.",
      );
    }
    periods.forEach((i) => owner.set(i, name));
    stretches.push({ name, source: "named", periods, span: [from, to] });
  }
  const known = (i: number) => availability !== undefined && !Number.isNaN(availability[i]);
  const free = [...numbers.keys()].filter((i) => !owner.has(i));
  for (const i of free) {
    if (!known(i) || availability![i] === 1) continue;
    stretches.push({ name: undefined, source: "status", periods: [i], span: bounds[i] });
  }
  const hours = Float64Array.from(bounds, ([from, to]) => (to - from) / HOUR);
  // Of a period with few valid hours it is unknown which these are: it may have lacked the windy ones.
  const judged = energy.map((value, i) =>
    owner.has(i) || known(i) || completeness[i] < MIN_COMPLETENESS_OF_RATIO ? NaN : value
  );
  const found = outages(judged, expected, hours);
  let last: Stretch | undefined;
  for (const i of [...numbers.keys()].filter((i) => found[i] === 1 && Number.isFinite(judged[i]))) {
    const before = last?.periods.at(-1);
    // Months in a row are one outage; years may have one each.
    if (kind === "month" && last && before !== undefined && numbers[i] === numbers[before] + 1) {
      last = { ...last, periods: [...last.periods, i], span: [last.span[0], bounds[i][1]] };
      stretches[stretches.length - 1] = last;
    } else {
      last = { name: undefined, source: "detected", periods: [i], span: bounds[i] };
      stretches.push(last);
    }
  }
  return stretches.sort((a, b) => a.span[0] - b.span[0]);
}

/** Scales what is expected to the share of the hours for which the energy of a period is known. */
function scaleToValid(
  input: PeriodsInput,
  bounds: readonly (readonly [number, number])[],
  notes: string[],
): PeriodsInput {
  const { validHours } = input.production;
  if (!validHours) return input;
  const shares = computeShares(bounds.map(([from, to]) => (to - from) / HOUR), validHours);
  const found = describeShares(
    shares.filter((_, i) => Number.isFinite(input.production.energy[i])),
  );
  if (found) notes.push(`${found}: they are compared with that share of the expected energy.`);
  const times = (values: Float64Array) => values.map((value, i) => value * shares[i]);
  return {
    ...input,
    expected: times(input.expected),
    density: times(input.density),
    normal: times(input.normal),
    completeness: input.completeness.map((value, i) =>
      Number.isNaN(value) ? shares[i] : value * shares[i]
    ),
  };
}

/** Compares months with months, or years with years: an outage takes whole ones. */
export function checkPeriods(given: PeriodsInput): CheckResult {
  const { production, timeZone } = given;
  const { kind, numbers, energy, availability } = production;
  const notes: string[] = [...production.notes];
  const bounds = numbers.map((number) => boundsOf(number, kind, timeZone));
  const input = scaleToValid(given, bounds, notes);
  const { expected, density, normal, completeness } = input;
  const stretches = findStretches(input, bounds, notes);
  const stopped = new Float64Array(numbers.length);
  for (const { source, periods } of stretches) {
    for (const i of periods) stopped[i] = source === "status" ? 1 - availability![i] : 1;
  }
  const known = (i: number) => Number.isFinite(energy[i]) && expected[i] > 0;
  const running = energy.map((value, i) =>
    known(i) && 1 - stopped[i] >= MIN_AVAILABLE ? value / (expected[i] * (1 - stopped[i])) : NaN
  );
  const ran = [...numbers.keys()].filter((i) => Number.isFinite(running[i]));
  const counted = ran.filter((i) => !(completeness[i] < MIN_COMPLETENESS_OF_RATIO));
  const sum = (value: (i: number) => number) => ran.reduce((total, i) => total + value(i), 0);
  const normalRatio = ran.length === 0
    ? 1
    : sum((i) => energy[i]) / sum((i) => expected[i] * (1 - stopped[i]));
  if (ran.length === 0) {
    notes.push(
      `No ${kind} is outside of outages: losses are those of the prediction, without an ` +
        "interval. Give a longer time.",
    );
  }
  const misses = counted.map((i) => running[i] / normalRatio - 1);
  const lost = (i: number) =>
    known(i) && stopped[i] > 0
      ? stopped[i] * normalRatio * expected[i] - (stopped[i] === 1 ? energy[i] : 0)
      : 0;

  const computeLoss = (numbers: readonly number[]) => {
    const own = numbers.filter((i) => known(i) && stopped[i] > 0);
    if (own.length === 0) return { expected: NaN, produced: NaN, lost: NaN, low: NaN, high: NaN };
    const energies = own.map((i) => stopped[i] * normalRatio * expected[i]);
    const total = energies.reduce((all, value) => all + value, 0);
    const made = own.reduce((all, i) => all + (stopped[i] === 1 ? energy[i] : 0), 0);
    const range = estimatePeriodsRange(misses, energies);
    return {
      expected: total,
      produced: made,
      lost: total - made,
      low: range ? range.low * total - made : NaN,
      high: range ? range.high * total - made : NaN,
    };
  };

  const found = new Set(
    stretches.filter(({ source }) => source === "detected").flatMap(({ periods }) => periods),
  );
  const band = new Set(counted);
  const periods = numbers.map((number, i): PeriodResult => ({
    number,
    label: labelOf(number, kind),
    hours: (bounds[i][1] - bounds[i][0]) / HOUR,
    compared: Math.round(production.validHours?.[i] ?? NaN),
    completeness: completeness[i],
    produced: energy[i],
    predicted: expected[i],
    normal: known(i) ? normal[i] : NaN,
    density: known(i) ? density[i] : NaN,
    running: band.has(i) ? running[i] : NaN,
    lost: lost(i),
    lostInterval: computeLoss([i]),
    short: found.has(i),
  }));
  const outages = stretches.map((stretch): OutageResult => {
    const own = stretch.periods.filter(known);
    return {
      ...computeLoss(stretch.periods),
      name: stretch.name ?? nameOutage(stretch, numbers, kind),
      from: stretch.span[0],
      to: stretch.span[1],
      source: stretch.source,
      completeness: stretch.periods.length === 0 ? 0 : own.length / stretch.periods.length,
    };
  });
  return {
    by: kind,
    hourly: false,
    timeZone,
    periods,
    outages,
    change: undefined,
    stopsSeen: stretches.length > 0 || availability !== undefined,
    normalRatio,
    method:
      `Student's t with the ${misses.length} ${kind}s outside of outages, taken as independent`,
    notes,
  };
}

function nameOutage(
  { periods, source }: Stretch,
  numbers: readonly number[],
  by: "month" | "year",
): string {
  const [from, to] = [periods[0], periods[periods.length - 1]].map((i) => labelOf(numbers[i], by));
  const span = from === to ? from : `${from} to ${to}`;
  return source === "status" ? `Not available, ${span}` : `Outage, ${span}`;
}
