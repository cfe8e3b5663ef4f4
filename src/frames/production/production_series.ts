import type { ProductionFormat } from "./production_format.ts";

/** Fields that leave a text a plain table: its header and its numbers say the rest. */
const plain: ReadonlySet<string> = new Set<keyof ProductionFormat>([
  "column",
  "time",
  "resolution",
  "unit",
  "timeZone",
  "stamp",
]);

/** Whether a format declares nothing of how the text is written: then it is read in one pass over the bytes. */
export function isPlain(how: ProductionFormat): boolean {
  return typeof how.column === "string" && typeof how.time === "string" &&
    Object.entries(how).every(([field, value]) => value === undefined || plain.has(field));
}

/** Production by turbine, with its columns; a single one has no name. */
export interface ProductionSeries {
  /** Identifier of the turbine, where there are several. */
  readonly turbine?: string;
  /** Name of the column, or of the twelve columns of months. */
  readonly columns: readonly string[];
  /** Name of the column with the status. */
  readonly status?: string | undefined;
  /** Name of the column with the availability. */
  readonly availability?: string | undefined;
}

/** A field that is given for one turbine, or by turbine. */
type ByTurbine = string | Readonly<Record<string, string>> | undefined;

/** Names of columns by turbine, if the format has several turbines side by side. */
export function columnsByTurbine(
  { column }: Pick<ProductionFormat, "column">,
): Readonly<Record<string, string>> | undefined {
  return typeof column === "object" && !Array.isArray(column)
    ? column as Readonly<Record<string, string>>
    : undefined;
}

/** The series that a format declares. */
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
  };
}

function findColumn(given: ByTurbine, turbine: string | undefined): string | undefined {
  if (typeof given !== "object") return given;
  return turbine !== undefined && Object.hasOwn(given, turbine) ? given[turbine] : undefined;
}

/**
 * The format of one of the turbines side by side, as if the file were of it alone.
 *
 * @param turbine Its identifier; a format of one turbine is its own
 * @returns `undefined` where the format names other turbines only
 */
export function selectTurbine(
  how: ProductionFormat,
  turbine: string,
): ProductionFormat | undefined {
  const turbines = columnsByTurbine(how);
  if (!turbines) return how;
  if (!Object.hasOwn(turbines, turbine)) return undefined;
  return { ...how, column: turbines[turbine], ...findExtras(how, turbine) };
}
