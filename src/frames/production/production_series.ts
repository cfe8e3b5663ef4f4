import { isStep, type StepResolution } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";

/** Fields of the format of a plain table, which needs no others. */
const plain: ReadonlySet<string> = new Set<keyof ProductionFormat>([
  "column",
  "time",
  "resolution",
  "unit",
  "time_zone",
  "stamp",
]);

/** A format of a plain table of stamps. */
export interface PlainFormat extends ProductionFormat {
  readonly column: string;
  readonly time: string;
  readonly resolution: StepResolution;
}

/** Whether a format is that of a plain table of stamps, which is read in one pass over the bytes. */
export function isPlain(how: ProductionFormat): how is PlainFormat {
  return isStep(how.resolution) && typeof how.column === "string" && typeof how.time === "string" &&
    Object.entries(how).every(([field, value]) => value === undefined || plain.has(field));
}

/** The columns of one turbine. */
export interface ProductionSeries {
  /** Identifier of the turbine; missing if the format has one turbine only. */
  readonly turbine?: string;
  /** Name of the column, or of the twelve columns of months. */
  readonly columns: readonly string[];
  /** Name of the column with the status. */
  readonly status?: string | undefined;
  /** Name of the column with the availability. */
  readonly availability?: string | undefined;
  /** Name of the column with the valid hours. */
  readonly validHours?: string | undefined;
}

/** A field with one value, or a value by turbine. */
type ByTurbine = string | Readonly<Record<string, string>> | undefined;

/** Names of columns by turbine; `undefined` if the format does not have turbines side by side. */
export function columnsByTurbine(
  { column }: Pick<ProductionFormat, "column">,
): Readonly<Record<string, string>> | undefined {
  return typeof column === "object" && !Array.isArray(column)
    ? column as Readonly<Record<string, string>>
    : undefined;
}

/** Names in the file of the turbines to read, by identifier; `undefined` if all are read. */
export function namesByTurbine(
  { turbines }: Pick<ProductionFormat, "turbines">,
): Readonly<Record<string, string>> | undefined {
  return Array.isArray(turbines)
    ? Object.fromEntries(turbines.map((name) => [name, name]))
    : turbines as Readonly<Record<string, string>> | undefined;
}

/** Lists the series of a format, one for each turbine. */
export function listSeries(how: ProductionFormat): ProductionSeries[] {
  const turbines = columnsByTurbine(how);
  if (!turbines) {
    const columns = [how.column].flat() as string[];
    return [{ columns, ...findExtras(how) }];
  }
  return Object.keys(turbines).map((turbine) => ({
    turbine,
    columns: [turbines[turbine]],
    ...findExtras(how, turbine),
  }));
}

function findExtras(how: ProductionFormat, turbine?: string) {
  return {
    status: findColumn(how.status, turbine),
    availability: findColumn(how.availability, turbine),
    validHours: findColumn(how.valid_hours, turbine),
  };
}

function findColumn(given: ByTurbine, turbine: string | undefined): string | undefined {
  if (typeof given !== "object") return given;
  return turbine !== undefined && Object.hasOwn(given, turbine) ? given[turbine] : undefined;
}
