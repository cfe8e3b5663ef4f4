import { modelDataCsv } from "../../api/columns.ts";
import { axisEnd } from "../../frames/hour_axis.ts";
import { calibrate, type Calibration } from "../../windindex/calibration.ts";
import { type HubConditions, hubConditions } from "../../windindex/hub_conditions.ts";
import { monthIndices } from "../../windindex/indices.ts";
import { monthlyEnergies, type MonthlyEnergy } from "../../windindex/monthly_energy.ts";
import {
  hourlyFlags,
  hourlyPower,
  powerAtStamps,
  powerModel,
} from "../../windindex/power_model.ts";
import type { Production } from "../../windindex/production.ts";
import { chooseReferencePeriod, normalsOf } from "../../windindex/reference_period.ts";
import { siteClimate } from "../../windindex/site_climate.ts";
import { trainingSet } from "../../windindex/training.ts";
import type { Turbine } from "../../windindex/turbine.ts";
import { seriesToParquet } from "../series.ts";
import type { FreshMonth, StoredCalibration } from "../store/store.ts";
import type { Exclusion, SiteData } from "./site_data.ts";
import { checkProduction } from "./training_inputs.ts";

/** What computing a turbine gave. */
export interface ComputedTurbine {
  /** The turbine. */
  readonly turbine: Turbine;
  /** Hours of climate from its first stamp to its last. */
  readonly climateHours: number;
  /** Share of them with wind and air density. */
  readonly climateCompleteness: number;
  /** Calibration; `null` without production. */
  readonly calibration: StoredCalibration | null;
  /** The hourly model as Parquet; `null` without calibration. */
  readonly model: Uint8Array | null;
  /** Its months. */
  readonly months: readonly FreshMonth[];
  /** What was found in production, in words. */
  readonly findings: readonly string[];
}

/** What of an earlier calibration counts for the next one. */
export interface EarlierCalibration {
  /** Its revision. */
  readonly revision: number;
  /** Its reference period, which stays; `null` to choose anew. */
  readonly referenceYears: readonly number[] | null;
}

/** Valid hours from which the first and the last month of a record are listed: one cut at UTC midnight touches another local month. */
const MIN_EDGE_HOURS = 24;

function withoutEdges(months: readonly MonthlyEnergy[]): MonthlyEnergy[] {
  const counts = (month: MonthlyEnergy) => month.validHours >= MIN_EDGE_HOURS;
  return months.slice(months.findIndex(counts), months.findLastIndex(counts) + 1);
}

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

/** First and last day of the periods that count, cut to the production where it is hourly. */
function trainingWindow(
  calibration: Calibration,
  production: readonly Production[],
  timeZone: string,
): [string, string] {
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
  return [start, end];
}

function completeness(hub: HubConditions): number {
  let valid = 0;
  for (let i = 0; i < hub.windSpeed.length; i++) {
    const value = hub.windSpeed[i] + hub.logDensityRatio[i];
    if (value === value) valid++;
  }
  return valid / hub.windSpeed.length;
}

function modelFile(hub: HubConditions, k: number, power: Float64Array): Uint8Array {
  const [, speed, direction, temperature, density, kilowatts] = modelDataCsv;
  return seriesToParquet(hub.axis, {
    [speed.name]: hub.windSpeed.map((value) => k * value),
    [direction.name]: hub.windDirection,
    [temperature.name]: hub.temperature,
    [density.name]: hub.airDensity,
    [kilowatts.name]: power,
  });
}

function notesOf(
  turbine: Turbine,
  hub: HubConditions,
  calibration: Calibration,
  exclusions: readonly Exclusion[],
): string[] {
  const left = calibration.periods.filter((period) => !period.used);
  return [
    ...hub.notes,
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

/**
 * From climate and production to calibration, hourly model and indices of one turbine.
 *
 * @param data The site's data
 * @param position Which of its turbines
 * @param earlier Calibration as stored
 * @throws {ArgumentError} If the figures cannot be had; the message says why
 */
export function computeTurbine(
  data: SiteData,
  position: number,
  earlier?: EarlierCalibration,
): ComputedTurbine {
  const { turbine, production, exclusions } = data.turbines[position];
  const hub = hubConditions(siteClimate(data.climate, turbine), turbine, data.shear);
  const climate = {
    turbine,
    climateHours: hub.axis.length,
    climateCompleteness: completeness(hub),
  };
  if (production.length === 0) {
    return { ...climate, calibration: null, model: null, months: [], findings: [] };
  }
  const { inputs, findings } = checkProduction(production, turbine, exclusions);
  const calibration = calibrate(trainingSet(hub, inputs, turbine.timeZone), turbine);
  const power = hourlyPower(powerAtStamps(powerModel(turbine, calibration.k), hub), hub.stamp);
  const energies = withoutEdges(
    monthlyEnergies(
      power,
      hub.axis,
      turbine.timeZone,
      hub.preliminary && hourlyFlags(hub.preliminary, hub.stamp),
    ),
  );
  const reference = earlier?.referenceYears
    ? { years: earlier.referenceYears }
    : chooseReferencePeriod(energies);
  const figures = monthIndices(energies, normalsOf(energies, reference));
  const [trainingStart, trainingEnd] = trainingWindow(
    calibration,
    production,
    turbine.timeZone,
  );
  return {
    ...climate,
    calibration: {
      revision: (earlier?.revision ?? 0) + 1,
      calibration,
      trainingStart,
      trainingEnd,
      referenceYears: reference.years,
      notes: notesOf(turbine, hub, calibration, exclusions),
    },
    model: modelFile(hub, calibration.k, power),
    months: figures.map(({ preliminary, ...month }) => ({
      ...month,
      status: preliminary ? "preliminary" : "final",
    })),
    findings,
  };
}
