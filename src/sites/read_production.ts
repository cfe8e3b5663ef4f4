import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../api/errors.ts";
import { extractEpochs, extractNumbers, zoneOf } from "../frames/frame.ts";
import { buildHourlyGrid, endOfAxis, HOUR, placeOnGrid } from "../time/hourly.ts";
import { findStepLength, isStep } from "../frames/production/production_columns.ts";
import { averageToHours } from "../frames/production/to_hours.ts";
import {
  computeShares,
  countDayHours,
  readAvailabilityColumn,
  readValidHoursColumn,
} from "../frames/production/period_shares.ts";
import { provenance } from "../frames/origin/provenance.ts";
import { buildRefuse, type Refuse } from "../frames/read_columns.ts";
import { dayAt, monthOfDays, startOfMonth } from "../time/zones.ts";
import {
  type EnergyPeriod,
  isDaily,
  type Production,
} from "../windindex/calibration/production.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import { nameFiles, type ProductionEntry } from "./declaration/production_entry.ts";
import { readProductionEntry } from "./read_production_entry.ts";
import type { SourceFiles } from "./source_files.ts";

function buildPeriods(
  starts: readonly Temporal.PlainYearMonth[],
  months: number,
  energies: Float64Array,
  turbine: Turbine,
): EnergyPeriod[] {
  return starts.map((first, i) => ({
    label: months === 12 ? String(first.year) : first.toString(),
    start: startOfMonth(first, turbine.timeZone),
    end: startOfMonth(first.add({ months }), turbine.timeZone),
    energy: energies[i] * 1000 / turbine.units,
  }));
}

/**
 * Sets the share of its hours that each period covers, by valid hours and availability; a park's share holds for each
 * unit.
 */
function addShares(
  periods: readonly EnergyPeriod[],
  frame: DataFrame,
  refuse: Refuse,
): EnergyPeriod[] {
  const hours = periods.map(({ start, end }) => (end - start) / HOUR);
  const shares = computeShares(
    hours,
    readValidHoursColumn(frame, hours, refuse),
    readAvailabilityColumn(frame, refuse),
  );
  return periods.map((period, i) => shares[i] === 1 ? period : { ...period, share: shares[i] });
}

/** The files of a production entry: production in its own resolution, or parts of hours that are not averaged yet. */
type ProductionFile =
  & {
    /** Their name in messages. */
    readonly file: string;
    /** How they are declared, as text. */
    readonly format: string;
    readonly span: readonly [from: number, to: number];
    /** Zone of its stamps; months and years have none. */
    readonly zone: string | undefined;
    /** What was merged, is assumed or unknown, in sentences. */
    readonly notes: readonly string[];
  }
  & (
    | { readonly production: Production }
    | { readonly steps: DataFrame; readonly length: number }
  );

async function readFile(
  entry: ProductionEntry,
  turbine: Turbine,
  files: SourceFiles,
): Promise<ProductionFile> {
  const { resolution } = entry;
  const file = nameFiles(entry);
  const format = JSON.stringify({ ...entry, file: undefined });
  const frame = await readProductionEntry(entry, turbine.id, files);
  const zone = zoneOf(frame.getColumn(frame.columns[0]).dtype);
  const notes = [...new Set(provenance(frame).flatMap((source) => source.notes ?? []))];
  if (isStep(resolution) && resolution !== "hour") {
    const length = findStepLength(resolution);
    const stamps = extractEpochs(frame, "time"); // in order: checked when it was read
    const span = [stamps[0], stamps[stamps.length - 1] + length] as const;
    return { file, format, span, zone, steps: frame, length, notes };
  }
  const production = resolution === "hour"
    ? buildHourlyProduction(frame, file, turbine)
    : resolution === "day"
    ? buildDailyProduction(frame, file, turbine)
    : buildPeriodProduction(frame, file, resolution, turbine);
  return { file, format, span: spanOf(production), zone, production, notes };
}

function buildHourlyProduction(frame: DataFrame, file: string, turbine: Turbine): Production {
  const stamps = extractEpochs(frame, "time");
  const grid = buildHourlyGrid(stamps, { file, clockShift: stamps[0] % HOUR });
  const power = extractNumbers(frame, "power").map((value) => value / turbine.units);
  return { kind: "hourly", axis: grid.axis, power: placeOnGrid(grid, power) };
}

/** Days of the zone of the stamps. */
function buildDailyProduction(frame: DataFrame, file: string, turbine: Turbine): Production {
  const zone = zoneOf(frame.getColumn("time").dtype) ?? "UTC";
  const power = extractNumbers(frame, "power");
  const days = Array.from(extractEpochs(frame, "time"), (start, i): EnergyPeriod => {
    const hours = countDayHours(start, zone);
    return {
      label: dayAt(start, zone).toString(),
      start,
      end: start + hours * HOUR,
      energy: power[i] * hours / turbine.units,
    };
  });
  return { kind: "periods", periods: addShares(days, frame, buildRefuse(`read ${file}`)) };
}

function buildPeriodProduction(
  frame: DataFrame,
  file: string,
  resolution: "month" | "year",
  turbine: Turbine,
): Production {
  const energies = extractNumbers(frame, "energy");
  const starts = resolution === "month"
    ? (frame.getColumn("month").cast(pl.Int32).toArray() as number[]).map(monthOfDays)
    : (frame.getColumn("year").toArray() as number[]).map((year) =>
      Temporal.PlainYearMonth.from({ year, month: 1 })
    );
  const months = resolution === "month" ? 1 : 12;
  const periods = buildPeriods(starts, months, energies, turbine);
  return { kind: "periods", periods: addShares(periods, frame, buildRefuse(`read ${file}`)) };
}

function spanOf(production: Production): [number, number] {
  if (production.kind === "hourly") {
    const { start, length } = production.axis;
    return [start, start + length * HOUR];
  }
  return [production.periods[0].start, production.periods[production.periods.length - 1].end];
}

/**
 * Reads the production of a turbine, divided by its units; parts of hours are averaged to hours.
 *
 * @returns The production; the zone of its stamps, and their format, `undefined` where there are several or none; notes on averages and unknown shares
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 * @throws {ArgumentError} If two files cover the same time
 */
export async function readTurbineProduction(
  declared: readonly ProductionEntry[],
  turbine: Turbine,
  files: SourceFiles,
) {
  const read: ProductionFile[] = [];
  for (const entry of declared) read.push(await readFile(entry, turbine, files));
  read.sort((a, b) => a.span[0] - b.span[0]);
  for (let i = 1; i < read.length; i++) {
    if (read[i].span[0] < read[i - 1].span[1]) {
      const joined = read[i].format === read[i - 1].format
        ? ', or name both in one entry, "file": [ … ]: what they share is then counted once'
        : "";
      throw new ArgumentError(
        `Cannot use the production of ${turbine.id}: ${read[i - 1].file} and ${
          read[i].file
        } cover the same time and would be counted twice. Leave one out${joined}`,
      );
    }
  }
  const notes = read.flatMap(({ file, notes }) => notes.map((note) => `${file}: ${note}.`));
  const production: Production[] = [];
  for (let i = 0; i < read.length; i++) {
    const one = read[i];
    if ("production" in one) {
      production.push(one.production);
      continue;
    }
    // Files that follow each other are averaged together: one may end within an hour.
    const { length: step } = one;
    const frames = [one.steps];
    for (
      let next = read[i + 1];
      next && "steps" in next && next.length === step;
      next = read[++i + 1]
    ) frames.push(next.steps);
    const name = frames.length === 1 ? one.file : `${one.file} to ${read[i].file}`;
    const { frame, notes: own } = averageToHours(
      joinRows(frames),
      { step },
      buildRefuse(`average ${name} to hours`),
    );
    production.push(buildHourlyProduction(frame, name, turbine));
    notes.push(...own.map((note) => `${name}: ${note}.`));
  }
  const zones = new Set(read.map(({ zone }) => zone));
  const stampZone = zones.size === 1 ? read[0].zone : undefined;
  const [first] = declared;
  const isSame = declared.every(({ unit, resolution }) =>
    unit === first.unit && resolution === first.resolution
  );
  const format = first && isSame ? { unit: first.unit, resolution: first.resolution } : undefined;
  return { production: joinFiles(production), stampZone, format, notes };
}

/** Time and power of several files, by the stamps of the first. */
function joinRows(frames: readonly DataFrame[]): DataFrame {
  const { dtype } = frames[0].getColumn("time");
  return pl.concat(
    frames.map((frame) => frame.select(pl.col("time").cast(dtype), pl.col("power"))),
  );
}

/** Hourly files and those of days as one series each, so that a month cut by the end of a file stays one month. */
function joinFiles(production: readonly Production[]): Production[] {
  const daily = production.filter(isDaily);
  if (daily.length > 1) {
    const days: Production = {
      kind: "periods",
      periods: daily.flatMap(({ periods }) => periods),
    };
    return [...joinFiles(production.filter((entry) => !isDaily(entry))), days];
  }
  const hourly = production.filter((entry) => entry.kind === "hourly");
  const rest = production.filter((entry) => entry.kind === "periods");
  if (hourly.length < 2) return [...production];
  const { start } = hourly[0].axis;
  const length = (endOfAxis(hourly[hourly.length - 1].axis) - start) / HOUR;
  if (hourly.some(({ axis }) => (axis.start - start) % HOUR !== 0)) return [...production];
  const power = new Float64Array(length).fill(NaN);
  for (const entry of hourly) power.set(entry.power, (entry.axis.start - start) / HOUR);
  return [...rest, { kind: "hourly", axis: { start, length }, power }];
}
