import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { extractEpochs, extractNumbers, zoneOf } from "../../frames/frame.ts";
import { buildHourlyGrid, endOfAxis, HOUR, placeOnGrid } from "../../time/hourly.ts";
import { findStepLength, isStep } from "../../frames/production/production_columns.ts";
import { averageToHours } from "../../frames/production/to_hours.ts";
import {
  computeShares,
  countDayHours,
  readAvailabilityColumn,
  readLimitColumn,
  readValidHoursColumn,
} from "../../frames/production/period_shares.ts";
import { provenance } from "../../frames/origin/provenance.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { dayAt, monthOfDays, startOfMonth } from "../../time/zones.ts";
import {
  type EnergyPeriod,
  type HourlyProduction,
  isDaily,
  type Production,
} from "../../windindex/calibration/production.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import {
  nameFiles,
  type ProductionEntry,
  toProductionFormat,
} from "../declaration/production_entry.ts";
import type { SourceFiles } from "../source_files.ts";
import { refuseFile } from "../../frames/files/read_file.ts";
import { findChanges, planReading, wantedFiles } from "../../frames/presets/preset_format.ts";
import { openProduction } from "../../frames/presets/read_production.ts";
import {
  columnsByTurbine,
  namesByTurbine,
  type ProductionFormat,
} from "../../frames/production/production_format.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";

/**
 * Reads a production entry of a site file for one turbine, as `readProduction()` does.
 *
 * @param entry The files and their format; files that turbines share are read once
 * @throws {DataFormatError} If a file is not as declared, or has no rows; the message names file, line and column
 * @throws {ArgumentError} If a file is missing, or the entry or the files do not name the turbine
 */
export async function readProductionEntry(
  entry: ProductionEntry,
  turbineId: string,
  files: SourceFiles,
): Promise<DataFrame> {
  const file = nameFiles(entry);
  const how = toProductionFormat(entry);
  const named = columnsByTurbine(how) ??
    (Array.isArray(how.turbines) ? undefined : namesByTurbine(how));
  if (named && !Object.hasOwn(named, turbineId)) {
    throw new ArgumentError(
      `Cannot read ${file}: the site declares it for ${
        listTexts(Object.keys(named))
      }, but not for ` +
        `"${turbineId}". Name the column or the rows of "${turbineId}"`,
    );
  }
  const frame = named
    ? (await files.share(entry, () => readFrame(entry, how, files)))
      .filter(pl.col("turbine_id").eq(pl.lit(turbineId)))
    : await readFrame(entry, how, files);
  if (frame.height === 0) refuseFile(file, "it has no rows. Give a file with production");
  return dropTurbine(frame, file, turbineId);
}

async function readFrame(
  entry: ProductionEntry,
  how: ProductionFormat,
  files: SourceFiles,
): Promise<DataFrame> {
  const { file, preset } = entry;
  const name = nameFiles(entry);
  const plan = planReading(
    name,
    preset === undefined ? how : { preset, ...findChanges(how, preset) },
  );
  const reader = openProduction(plan, name);
  await files.eachProduction(file, wantedFiles(plan), (one) => reader.add(one));
  return reader.end();
}

/** Drops the column `turbine_id`: the rows must belong to one turbine. */
function dropTurbine(frame: DataFrame, file: string, turbineId: string): DataFrame {
  if (!frame.columns.includes("turbine_id")) return frame;
  const ids = frame.getColumn("turbine_id").unique().sort().toArray() as string[];
  if (ids.length === 1) return frame.drop("turbine_id");
  throw new ArgumentError(
    `Cannot read ${file}: its rows belong to the turbines ${
      listTexts(ids)
    }. Declare which of these names the file uses for "${turbineId}": "turbines": [${
      JSON.stringify(ids[0])
    }]`,
  );
}

/**
 * Sets the share of its hours that each period covers, from valid hours and availability. A park's share applies to
 * each unit.
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
    /** Name in messages. */
    readonly file: string;
    /** Declaration, as text. */
    readonly format: string;
    readonly span: readonly [from: number, to: number];
    /** Time zone of its timestamps; months and years have none. */
    readonly zone: string | undefined;
    /** Sentences on merged, assumed or unknown data. */
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
  const { units, ratedPower } = turbine;
  const perUnit = (values: Float64Array) => placeOnGrid(grid, values.map((value) => value / units));
  const limit = readLimitColumn(frame, units * ratedPower, buildRefuse(`read ${file}`));
  return {
    ...{ kind: "hourly", axis: grid.axis, power: perUnit(extractNumbers(frame, "power")) },
    limit: limit && perUnit(limit),
  };
}

/** Builds production of days, in the time zone of the timestamps. */
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
  const periods = starts.map((first, i): EnergyPeriod => ({
    label: months === 12 ? String(first.year) : first.toString(),
    start: startOfMonth(first, turbine.timeZone),
    end: startOfMonth(first.add({ months }), turbine.timeZone),
    energy: energies[i] * 1000 / turbine.units,
  }));
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
 * @returns The production; its time zone and format, `undefined` if there are several or none; notes on averages and
 * unknown shares
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
        ? ', or name both files in one entry, "file": [ … ], so shared rows count only once'
        : "";
      throw new ArgumentError(
        `Cannot use the production of ${turbine.id}: ${read[i - 1].file} and ${
          read[i].file
        } cover the same time, so its energy would count twice. Leave out one of these files${joined}`,
      );
    }
  }
  const notes = read.flatMap(({ file, notes }) => notes.map((note) => `${file}: ${note}.`));
  const production: Production[] = [];
  for (let i = 0; i < read.length; i++) {
    const current = read[i];
    if ("production" in current) {
      production.push(current.production);
      continue;
    }
    // Consecutive files are averaged together, because one may end within an hour.
    const { length: step } = current;
    const frames = [current.steps];
    for (
      let next = read[i + 1];
      next && "steps" in next && next.length === step;
      next = read[++i + 1]
    ) frames.push(next.steps);
    const name = frames.length === 1 ? current.file : `${current.file} to ${read[i].file}`;
    const { frame, notes: hourNotes } = averageToHours(
      joinRows(frames),
      { step },
      buildRefuse(`average ${name} to hours`),
    );
    production.push(buildHourlyProduction(frame, name, turbine));
    notes.push(...hourNotes.map((note) => `${name}: ${note}.`));
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

/** Joins time, power and limits of several files, with the time type of the first. */
function joinRows(frames: readonly DataFrame[]): DataFrame {
  const { dtype } = frames[0].getColumn("time");
  return pl.concat(
    frames.map((frame) => {
      const limits = frame.columns.filter((name) => name.startsWith("limit"));
      return frame.select(pl.col("time").cast(dtype), pl.col("power"), ...limits.map(pl.col));
    }),
    { how: "diagonal" },
  );
}

/** Joins hourly files and daily files into one series each, so a month cut by the end of a file stays one month. */
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
  const periods = production.filter((entry) => entry.kind === "periods");
  if (hourly.length < 2) return [...production];
  const { start } = hourly[0].axis;
  const length = (endOfAxis(hourly[hourly.length - 1].axis) - start) / HOUR;
  if (hourly.some(({ axis }) => (axis.start - start) % HOUR !== 0)) return [...production];
  const join = (valuesOf: (entry: HourlyProduction) => Float64Array | undefined) => {
    const values = new Float64Array(length).fill(NaN);
    for (const entry of hourly) {
      values.set(valuesOf(entry) ?? [], (entry.axis.start - start) / HOUR);
    }
    return values;
  };
  const power = join(({ power }) => power);
  const limit = hourly.some(({ limit }) => limit) ? join(({ limit }) => limit) : undefined;
  return [...periods, { kind: "hourly", axis: { start, length }, power, limit }];
}
