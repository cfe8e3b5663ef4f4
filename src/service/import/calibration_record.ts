import { axisEnd } from "../../frames/hour_axis.ts";
import type { Calibration } from "../../windindex/calibration.ts";
import type { HubConditions } from "../../windindex/hub_conditions.ts";
import type { Production } from "../../windindex/production.ts";
import type { Turbine } from "../../windindex/turbine.ts";
import { parametersOf } from "../../windindex/wind_scaling.ts";
import type { StoredCalibration } from "../store/store.ts";
import type { Exclusion } from "./site_data.ts";

function day(instant: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
    .toPlainDate().toString();
}

/** First and last day of a period's name, "2018" or "2018-05". */
function daysOf(label: string): [Temporal.PlainDate, Temporal.PlainDate] {
  const yearly = label.length === 4;
  const first = Temporal.PlainDate.from(yearly ? `${label}-01-01` : `${label}-01`);
  return [first, first.add(yearly ? { years: 1 } : { months: 1 }).subtract({ days: 1 })];
}

/**
 * First and last day of the periods that count, cut to the production where it is hourly.
 *
 * @param calibration The calibration
 * @param production What it was fitted to
 * @param timeZone Zone of the turbine
 */
export function trainingWindow(
  calibration: Calibration,
  production: readonly Production[],
  timeZone: string,
): Pick<StoredCalibration, "trainingStart" | "trainingEnd"> {
  const used = calibration.periods.filter((period) => period.used).map(({ label }) =>
    daysOf(label)
  );
  let start = used.map(([first]) => first.toString()).sort()[0];
  let end = used.map(([, last]) => last.toString()).sort()[used.length - 1];
  if (production.every((entry) => entry.kind === "hourly")) {
    const axes = production.map((entry) => entry.axis);
    const first = day(Math.min(...axes.map((axis) => axis.start)), timeZone);
    const last = day(Math.max(...axes.map((axis) => axisEnd(axis) - 1)), timeZone);
    start = start < first ? first : start;
    end = end > last ? last : end;
  }
  return { trainingStart: start, trainingEnd: end };
}

/** Share by which an annual energy is another one: less is the last digits of another machine. */
const SAME = 1e-9;

/**
 * What is kept of a calibration. One that holds stays as it is; where a year of the reference period gives another energy
 * now, it is another revision of the same scaling.
 *
 * @param held An earlier calibration that holds; `null` without one
 * @param fresh What would be kept of a new one
 */
export function calibrationRecord(
  held: StoredCalibration | null,
  fresh: StoredCalibration,
): StoredCalibration {
  if (!held) return fresh;
  const { revision, meanAnnualEnergy, uncertainty } = fresh;
  const before = held.meanAnnualEnergy;
  const same = before !== null && Math.abs(before - meanAnnualEnergy!) <= SAME * before;
  return same ? held : { ...held, revision, meanAnnualEnergy, uncertainty };
}

/** What calibration chose, in words. */
function scalingNote({ scaling, candidates, k }: Calibration): string {
  const errors = candidates.map(({ kind, error }) => `${kind} ${(100 * error).toFixed(1)} %`);
  const compared = candidates.length > 1
    ? ` Error of unseen periods: ${
      errors.join(", ")
    }; the simplest within one standard error of the best is taken.`
    : " Too few periods to compare it with other scalings.";
  if (scaling.kind === "factor") {
    return `Wind speed is scaled by one factor, k ${k.toFixed(4)}.${compared}`;
  }
  if (scaling.kind === "linear") {
    const { a, b } = scaling;
    return `Wind speed is scaled by ${a.toFixed(4)} v ${b < 0 ? "-" : "+"} ` +
      `${Math.abs(b).toFixed(3)} m/s.${compared}`;
  }
  const factors = parametersOf(scaling).map(({ name, value }) => `${name} ${value.toFixed(3)}`);
  return `Wind speed is scaled by factors by ${scaling.kind}: ${factors.join(", ")}.${compared}`;
}

/**
 * Choices and missing inputs behind a calibration, in words.
 *
 * @param turbine The turbine
 * @param hub Climate at its hub
 * @param calibration The calibration
 * @param exclusions Days that the site file leaves out
 */
export function notesOf(
  turbine: Turbine,
  hub: HubConditions,
  calibration: Calibration,
  exclusions: readonly Exclusion[],
): string[] {
  const left = calibration.periods.filter((period) => !period.used);
  return [
    ...hub.notes,
    scalingNote(calibration),
    ...(turbine.units > 1
      ? [
        `A park of ${turbine.units} units: production is divided by them, all figures are of one unit, ` +
        "and wakes are part of k.",
      ]
      : []),
    ...exclusions.map(({ from, to, reason }) =>
      `Production of ${from} to ${to} excluded: ${reason}.`
    ),
    ...(left.length > 0
      ? [
        `Left out of the calibration: ${
          left.map(({ label, reason }) => `${label} (${reason})`).join(", ")
        }.`,
      ]
      : []),
  ];
}
