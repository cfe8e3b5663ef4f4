import { endOfAxis, HOUR } from "../../time/hourly.ts";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import { sha256 } from "../../disk/hashes.ts";
import type {
  EnergyPeriod,
  HourlyProduction,
  Production,
} from "../../windindex/calibration/production.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";
import type { StoredCalibration, TrainingBasis } from "../keep/site_record.ts";
import { dayAt } from "../../time/zones.ts";
import type { Calibration } from "../../windindex/calibration/calibration.ts";

/** Hashes the fitted hours; all missing values are the same NaN, and -0 is 0. */
function hashHours(
  { power }: HourlyProduction,
  masked: Uint8Array | undefined,
  from = 0,
  to: number = power.length,
): string {
  const fitted = power.slice(from, to);
  for (let i = 0; i < fitted.length; i++) {
    const missing = masked?.[from + i] === 1 || Number.isNaN(fitted[i]);
    fitted[i] = missing ? NaN : fitted[i] + 0;
  }
  return sha256(new Uint8Array(fitted.buffer));
}

/** Describes the fitted energy of a period: null if it is masked or missing. */
function describePeriod(
  { label, energy, share = 1 }: EnergyPeriod,
  masked: boolean,
): TrainingBasis["periods"][number] {
  if (masked || Number.isNaN(energy)) return { label, energy: null };
  return share === 1 ? { label, energy } : { label, energy, share };
}

/**
 * Builds the record of the data that a calibration is fitted to.
 *
 * @param declaration Hash of its inputs other than production
 */
export function buildTrainingBasis(
  declaration: string,
  inputs: readonly TrainingInput[],
): TrainingBasis {
  return {
    declaration,
    engine: ENGINE_VERSION,
    hours: inputs.flatMap(({ production, masked }) =>
      production.kind === "hourly"
        ? [{
          start: production.axis.start,
          length: production.axis.length,
          hash: hashHours(production, masked),
        }]
        : []
    ),
    periods: inputs.flatMap(({ production, masked }) =>
      production.kind === "hourly"
        ? []
        : production.periods.map((period, i) => describePeriod(period, masked?.[i] === 1))
    ),
  };
}

/**
 * Cuts production to the times that a calibration was fitted to. Done before the checks, because later production would
 * change findings, such as a stop that continues.
 *
 * @param production Production of one unit
 */
export function cutToBasis(basis: TrainingBasis, production: readonly Production[]): Production[] {
  const labels = new Set(basis.periods.map(({ label }) => label));
  const month = "2018-05".length; // days are fitted as months
  return production.flatMap((entry): Production[] => {
    if (entry.kind === "periods") {
      const periods = entry.periods.filter(({ label }) => labels.has(label.slice(0, month)));
      return periods.length > 0 ? [{ kind: "periods", periods }] : [];
    }
    return basis.hours.flatMap(({ start, length }) => cutHours(entry, start, length) ?? []);
  });
}

/** Whether inputs have all times that a calibration was fitted to, regardless of values and masks. */
export function hasTimesOf(basis: TrainingBasis, inputs: readonly TrainingInput[]): boolean {
  const production = inputs.map(({ production }) => production);
  const hours = production.filter((entry) => entry.kind === "hourly");
  const periods = production.filter((entry) => entry.kind === "periods").flatMap((one) =>
    one.periods
  );
  return hours.length === basis.hours.length && periods.length === basis.periods.length;
}

/** Cuts hours from an instant on; `null` if the production lacks some of them. */
function cutHours(
  { axis, power }: HourlyProduction,
  start: number,
  length: number,
): HourlyProduction | null {
  const from = (start - axis.start) / HOUR;
  if (!Number.isInteger(from) || from < 0 || from + length > axis.length) return null;
  return { kind: "hourly", axis: { start, length }, power: power.subarray(from, from + length) };
}

/**
 * Selects the production that a calibration was fitted to, without later production; `null` if a value or a mask
 * changed.
 */
export function selectFitted(
  basis: TrainingBasis,
  inputs: readonly TrainingInput[],
): TrainingInput[] | null {
  const part: TrainingInput[] = [];
  for (const { start, length, hash } of basis.hours) {
    const match = inputs.map((input) => selectHours(input, start, length, hash))
      .find((input) => input !== null);
    if (!match) return null;
    part.push(match);
  }
  const known = new Map(basis.periods.map((period) => [period.label, period]));
  for (const { production, masked } of inputs) {
    if (production.kind === "hourly") continue;
    const fitted = [...production.periods.keys()].filter((i) =>
      known.has(production.periods[i].label)
    );
    for (const i of fitted) {
      const { label, energy, share } = describePeriod(production.periods[i], masked?.[i] === 1);
      const before = known.get(label);
      if (energy !== before?.energy || share !== before?.share) return null;
      known.delete(label);
    }
    part.push({
      production: { kind: "periods", periods: fitted.map((i) => production.periods[i]) },
      masked: Uint8Array.from(fitted, (i) => masked?.[i] ?? 0),
    });
  }
  return known.size === 0 ? part : null;
}

/** Selects hours of an input from an instant on, if they match the hash. */
function selectHours(
  { production, masked }: TrainingInput,
  start: number,
  length: number,
  hash: string,
): TrainingInput | null {
  if (production.kind !== "hourly") return null;
  const cut = cutHours(production, start, length);
  const from = (start - production.axis.start) / HOUR;
  if (!cut || hashHours(production, masked, from, from + length) !== hash) return null;
  return { production: cut, masked: masked?.subarray(from, from + length) };
}

/** First and last day of a period by its label, "2018" or "2018-05". */
function findDays(label: string): [Temporal.PlainDate, Temporal.PlainDate] {
  const yearly = label.length === 4;
  const first = Temporal.PlainDate.from(yearly ? `${label}-01-01` : `${label}-01`);
  return [first, first.add(yearly ? { years: 1 } : { months: 1 }).subtract({ days: 1 })];
}

/**
 * Finds the first and last day of the periods used, cut to the record if all production is hourly; `null` without
 * production.
 *
 * @param timeZone Zone of the turbine
 */
export function findTrainingWindow(
  calibration: Calibration,
  production: readonly Production[],
  timeZone: string,
): Pick<StoredCalibration, "trainingStart" | "trainingEnd"> {
  if (production.length === 0) return { trainingStart: null, trainingEnd: null };
  const used = calibration.periods.filter((period) => period.used).map(({ label }) =>
    findDays(label)
  );
  let start = used.map(([first]) => first.toString()).sort()[0];
  let end = used.map(([, last]) => last.toString()).sort()[used.length - 1];
  if (production.every((entry) => entry.kind === "hourly")) {
    const axes = production.map((entry) => entry.axis);
    const first = dayAt(Math.min(...axes.map((axis) => axis.start)), timeZone).toString();
    const last = dayAt(Math.max(...axes.map((axis) => endOfAxis(axis) - 1)), timeZone).toString();
    start = start < first ? first : start;
    end = end > last ? last : end;
  }
  return { trainingStart: start, trainingEnd: end };
}
