import {
  addParts,
  type Cause,
  type Deviation,
  fieldsOf,
  type Figures,
  type Judgement,
  type Part,
  partOf,
  reachOf,
  type StepName,
  type Suspect,
  type Verdict,
} from "./row.ts";
import { type About, doubts, VALUES_APART, writeVerdict } from "./words.ts";
import { mean, sumOf } from "../../stats/spread.ts";

const CAUSES: readonly (readonly [Cause, StepName])[] = [
  ["wind", "wind"],
  ["stops", "stops"],
  ["curtailment", "limited"],
  ["unexplained", "rest"],
];

/** Lists the steps that may be causes. */
const listSuspects = (deviation: Deviation): Suspect[] =>
  CAUSES.flatMap(([cause, name]) => {
    const part = partOf(deviation, name);
    return part ? [{ cause, ...part }] : [];
  });

/**
 * Distance of the rest from 0, in 90 % reaches, from which it is a cause: an error of the model moves both wind and
 * rest.
 */
const CLEAR = 1.25;

/** Whether a step is certain to differ from 0. */
function isClear(step: Suspect): boolean {
  const [below, above] = reachOf(step);
  const factor = step.cause === "unexplained" ? CLEAR : 1;
  return step.energy > factor * below || step.energy < -factor * above;
}

/** Share of the losses, or of the gains, that the causes must explain. */
const MOST = 0.4;

const sizeOf = (steps: readonly Part[]): number => sumOf(steps, ({ energy }) => Math.abs(energy));

/**
 * Finds the causes among the losses, or among the gains: the largest clear steps; without them the others stay inside
 * the band.
 *
 * @returns `undefined` if the steps exceed the band and the causes explain too little of them
 */
function findCauses(steps: readonly Suspect[], band: number): Suspect[] | undefined {
  const causes: Suspect[] = [];
  for (const step of steps.toSorted((a, b) => Math.abs(b.energy) - Math.abs(a.energy))) {
    if (sizeOf(steps) - sizeOf(causes) <= band) break;
    if (isClear(step)) causes.push(step);
  }
  return sizeOf(steps) <= band || sizeOf(causes) >= MOST * sizeOf(steps) ? causes : undefined;
}

/** Smallest share of hours for a verdict. */
export const MIN_JUDGED = 0.8;

function judge(figures: Deviation, about: About): Judgement {
  const { produced, normal, completeness } = figures;
  const cannot = (reason: string, band = NaN): Judgement => (
    { verdict: "cannot be told", causes: [], band, reason }
  );
  const rest = partOf(figures, "rest");
  if (about.reason) return cannot(about.reason);
  if (produced === null || rest === null) return cannot(doubts.noProduction(about));
  if (normal === null) return cannot(doubts.noNormal);
  if (completeness !== null && completeness < MIN_JUDGED) {
    return cannot(doubts.fewHours(completeness));
  }
  const band = Math.max(...reachOf(rest));
  if (!(band > 0)) return cannot(doubts.noInterval);
  const suspects = listSuspects(figures);
  const [losses, gains] = [-1, 1].map((sign) =>
    findCauses(suspects.filter(({ energy }) => Math.sign(energy) === sign), band)
  );
  const deviation = produced - normal;
  const [main, other] = deviation < 0 ? [losses, gains] : [gains, losses];
  if (Math.abs(deviation) > band && !main?.length) return cannot(doubts.noClearStep, band);
  const causes = Math.abs(deviation) > band
    ? [...main!, ...other ?? []]
    : [...losses ?? [], ...gains ?? []]; // a loss offset by the wind still needs attention
  return { verdict: causes[0]?.cause ?? "as usual", causes, band, reason: null };
}

/** Judges a deviation from normal: was it the wind or the turbine? */
export function buildVerdict(figures: Deviation, about: About): Verdict {
  const { produced, normal } = figures;
  const judgement = judge(figures, about);
  const deviation = produced === null || normal === null ? null : produced - normal;
  return {
    ...figures,
    verdict: judgement.verdict,
    causes: judgement.causes.map(({ cause }) => cause).join(", "),
    deviation,
    deviation_share: deviation === null || !normal ? null : 100 * deviation / normal,
    reason: judgement.reason,
    ...(about.useless ? { useless: true } : {}),
    note: about.note ?? "",
    text: writeVerdict(figures, judgement, about),
  };
}

/** A period whose wind is known by the indices; energies in MWh, unknown ends are NaN. */
export interface IndexedPeriod
  extends Pick<Deviation, "period" | "normal" | "reference_from" | "reference_to"> {
  /** Energy of its wind by the model, and the ends of its 90 % interval. */
  readonly predicted: number;
  readonly low: number;
  readonly high: number;
  /** Energy produced in the same hours. @default not known */
  readonly produced?: number;
  readonly completeness?: number | null;
}

/**
 * Judges a period by the indices alone: without hours, stops are part of the rest, and the interval is the
 * prediction's.
 */
export function judgeByIndex(
  { predicted, low, high, normal, produced, completeness = null, ...period }: IndexedPeriod,
  about: About = {},
): Verdict {
  const wind = normal === null
    ? null
    : { energy: predicted - normal, low: low - normal, high: high - normal };
  const rest = produced === undefined
    ? null
    : { energy: produced - predicted, low: produced - high, high: produced - low };
  return buildVerdict({
    ...period,
    normal,
    produced: produced ?? null,
    density: null,
    completeness,
    ...fieldsOf("wind", wind),
    ...fieldsOf("stops", null),
    ...fieldsOf("limited", null),
    ...fieldsOf("rest", rest),
  }, about);
}

/** Scales a verdict to several turbines of an entry, or to a share. */
export function scaleVerdict(verdict: Verdict, factor: number): Verdict {
  const times = (value: number | null) => value === null ? null : factor * value;
  const scale = <Row extends Figures>(row: Row): Row => {
    const steps = CAUSES.map(([, name]) => {
      const part = partOf(row, name);
      const scaled = part &&
        { energy: factor * part.energy, low: times(part.low), high: times(part.high) };
      return fieldsOf(name, scaled);
    });
    const [produced, normal, density] = [row.produced, row.normal, row.density].map(times);
    return { ...row, ...Object.assign({}, ...steps) as Figures, produced, normal, density };
  };
  const { value } = verdict;
  return buildVerdict({ ...scale(verdict), ...(value && { value: scale(value) }) }, verdict);
}

/** Deviation caused by the turbines, not the wind, MWh: stops, curtailment and the rest. */
const sumByTurbine = ({ stops, limited, rest }: Deviation): number =>
  (stops ?? 0) + (limited ?? 0) + (rest ?? 0);

/** Orders verdicts: the largest loss caused by the turbine first; without production, the weakest wind, last. */
export function compareVerdicts(a: Verdict, b: Verdict): number {
  const [first, second] = [a, b].map((verdict) => {
    const isMeasured = verdict.produced !== null;
    return [
      isMeasured ? 0 : 1,
      isMeasured ? sumByTurbine(verdict) : (verdict.wind ?? 0) / (verdict.normal || 1),
    ];
  });
  return first[0] - second[0] || first[1] - second[1];
}

/** Whether a turbine needs attention because it caused a loss itself. */
export const needsLook = ({ causes, rest }: Verdict): boolean =>
  /stops|curtailment/.test(causes) || (causes.includes("unexplained") && rest! < 0);

/** Share of the normal energy of a fleet that must have production. */
const MIN_MEASURED = 0.5;

/** Largest share of it with a useless calibration. */
const MAX_USELESS = 0.5;

const sumKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : sumOf(known);
};

/** Sums the figures of turbines: if too few have production, only the wind counts. */
function addFigures(some: readonly Figures[], isEnough: boolean): Figures {
  const add = (name: "produced" | "normal" | "density") => sumKnown(some.map((one) => one[name]));
  const sum = (name: StepName) => {
    const parts = some.flatMap((one) => partOf(one, name) ?? []);
    return parts.length === 0 ? null : addParts(parts, name === "wind");
  };
  const [wind, stops, limited, rest] = (["wind", "stops", "limited", "rest"] as const).map(sum);
  // The rest has the errors of all other steps, with the opposite sign.
  const reach = [wind, stops, limited].map((part) => part ? reachOf(part) : [0, 0]);
  const [above, below] = [0, 1].map((side) => Math.hypot(...reach.map((ends) => ends[side])));
  const isKnown = some.every((one) => one.rest_low !== null);
  const ends = (energy: number) =>
    isKnown ? { low: energy - below, high: energy + above } : { low: null, high: null };
  return {
    produced: isEnough ? add("produced") : null,
    normal: add("normal"),
    ...fieldsOf("wind", wind),
    density: add("density"),
    ...fieldsOf("stops", isEnough ? stops : null),
    ...fieldsOf("limited", isEnough ? limited : null),
    ...fieldsOf("rest", isEnough && rest ? { energy: rest.energy, ...ends(rest.energy) } : null),
  };
}

/**
 * Sums the verdicts on turbines to a verdict on the fleet; errors of the wind add up in full, as if all stood in one
 * wind. Turbines without production are left out, unless they have most of the normal energy: then only the wind of all
 * is known.
 *
 * @param all One verdict per turbine, for the same period
 * @param units Number of turbines of each
 */
export function sumVerdicts(all: readonly Verdict[], units: readonly number[]): Verdict {
  const normalOf = (some: readonly Verdict[]) => sumKnown(some.map(({ normal }) => normal)) ?? 0;
  const measured = all.filter(({ produced }) => produced !== null);
  const isEnough = normalOf(measured) >= MIN_MEASURED * normalOf(all);
  const some = isEnough ? measured : all;
  const figures = addFigures(some, isEnough);
  const values = some.flatMap(({ value }) => value ?? []);
  const [{ currency = "" } = {}] = values;
  const isValued = values.length === some.length &&
    values.every((one) => one.currency === currency);
  const hours = sumKnown(
    some.map(({ normal, completeness }) => (normal ?? 0) * (completeness ?? 1)),
  );
  const isUseless = MAX_USELESS * normalOf(some) <
    normalOf(some.filter(({ useless }) => useless));
  const first = some[0];
  const isSame = (name: "reference_from" | "reference_to") =>
    some.every((one) => one[name] === first[name]);
  const isReferenceSame = isSame("reference_from") && isSame("reference_to");
  const count = (rows: readonly Verdict[]) => sumOf(rows, (row) => units[all.indexOf(row)]);
  return buildVerdict({
    period: first.period,
    ...figures,
    ...(isValued && {
      value: {
        currency,
        priced: mean(values.map(({ priced }) => priced)),
        ...addFigures(values, isEnough),
      },
    }),
    completeness: isEnough ? (hours ?? 0) / normalOf(some) : null,
    reference_from: isReferenceSame ? first.reference_from : null,
    reference_to: isReferenceSame ? first.reference_to : null,
  }, {
    fleet: { turbines: count(all), measured: count(measured) },
    ...(values.length > 0 && !isValued && { note: VALUES_APART }),
    ...(isUseless ? { reason: doubts.mostUseless, useless: true } : {}),
  });
}
