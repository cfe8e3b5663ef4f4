import pl from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { epochsOf, numbersOf } from "../../frames/frame.ts";
import { axisEnd, HOUR } from "../../time/hour_axis.ts";
import { hourlyGrid, onGrid } from "../../time/hourly.ts";
import { type ProductionFormat, productionOf } from "../../frames/production/production.ts";
import { monthOfDays, startOfMonth } from "../../time/zones.ts";
import type { EnergyPeriod, Production } from "../../windindex/calibration/production.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { SiteTurbine } from "./site_file.ts";
import { perUnit } from "./park_units.ts";
import type { SourceFiles } from "./source_files.ts";

type Declared = SiteTurbine["production"][number];

function periodsOf(
  starts: readonly Temporal.PlainYearMonth[],
  months: number,
  energies: Float64Array,
  turbine: Turbine,
): EnergyPeriod[] {
  return starts.map((first, i) => ({
    label: months === 12 ? String(first.year) : first.toString(),
    start: startOfMonth(first, turbine.timeZone),
    end: startOfMonth(first.add({ months }), turbine.timeZone),
    energy: perUnit(energies[i] * 1000, turbine.units),
  }));
}

/** How a production file of a site file is to be read. */
export function formatOfProduction(declared: Declared): ProductionFormat {
  const { column, time, resolution, unit, time_zone: timeZone, stamp } = declared;
  return {
    column,
    time,
    resolution,
    unit,
    ...(timeZone ? { timeZone } : {}),
    ...(stamp ? { stamp } : {}),
  };
}

async function readOne(
  declared: Declared,
  turbine: Turbine,
  files: SourceFiles,
): Promise<Production> {
  const { file, resolution } = declared;
  const frame = productionOf(await files.read(file), file, formatOfProduction(declared));
  if (frame.height === 0) throw new DataFormatError(`Cannot read ${file}: it has no rows`);
  if (resolution === "hour") {
    const stamps = epochsOf(frame, "time"); // checked when it was read
    const grid = hourlyGrid(stamps, { file, clockShift: stamps[0] % HOUR });
    const power = numbersOf(frame, "power").map((value) => perUnit(value, turbine.units));
    return { kind: "hourly", axis: grid.axis, power: onGrid(grid, power) };
  }
  const energies = numbersOf(frame, "energy");
  const starts = resolution === "month"
    ? (frame.getColumn("month").cast(pl.Int32).toArray() as number[]).map(monthOfDays)
    : (frame.getColumn("year").toArray() as number[]).map((year) =>
      Temporal.PlainYearMonth.from({ year, month: 1 })
    );
  const months = resolution === "month" ? 1 : 12;
  return { kind: "periods", periods: periodsOf(starts, months, energies, turbine) };
}

function spanOf(production: Production): [number, number] {
  if (production.kind === "hourly") {
    const { start, length } = production.axis;
    return [start, start + length * HOUR];
  }
  return [production.periods[0].start, production.periods[production.periods.length - 1].end];
}

/**
 * Reads the production of a turbine, divided by its units.
 *
 * @param declared The turbine's production files
 * @param files Reads the files
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 * @throws {ArgumentError} If two files cover the same time
 */
export async function readTurbineProduction(
  declared: readonly Declared[],
  turbine: Turbine,
  files: SourceFiles,
): Promise<Production[]> {
  const read: { file: string; production: Production }[] = [];
  for (const entry of declared) {
    read.push({ file: entry.file, production: await readOne(entry, turbine, files) });
  }
  read.sort((a, b) => spanOf(a.production)[0] - spanOf(b.production)[0]);
  for (let i = 1; i < read.length; i++) {
    if (spanOf(read[i].production)[0] < spanOf(read[i - 1].production)[1]) {
      throw new ArgumentError(
        `Cannot use the production of ${turbine.id}: ${read[i - 1].file} and ${
          read[i].file
        } cover the ` +
          "same time, and would count twice. Leave one out",
      );
    }
  }
  return joinHours(read.map(({ production }) => production));
}

/** Hourly files as one series, so that a month cut by the end of a file stays one month. */
function joinHours(production: readonly Production[]): Production[] {
  const hourly = production.filter((entry) => entry.kind === "hourly");
  const rest = production.filter((entry) => entry.kind === "periods");
  if (hourly.length < 2) return [...production];
  const { start } = hourly[0].axis;
  const length = (axisEnd(hourly[hourly.length - 1].axis) - start) / HOUR;
  if (hourly.some(({ axis }) => (axis.start - start) % HOUR !== 0)) return [...production];
  const power = new Float64Array(length).fill(NaN);
  for (const entry of hourly) power.set(entry.power, (entry.axis.start - start) / HOUR);
  return [...rest, { kind: "hourly", axis: { start, length }, power }];
}
