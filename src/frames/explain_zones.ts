import { ArgumentError } from "../api/errors.ts";

/** A type of stamps in an error of Polars: `datetime[μs, UTC]` in joins, `Datetime('μs', 'UTC')` in stacks; without a zone it ends after the unit. */
const STAMPS = /datetime[[(]'?[^\s,'\])]+'?(?:,\s*'?([^'\])]+)'?)?[\])]/gi;

/** The column, as joins and stacks name it. */
const COLUMN = /`([^`]+)`: datetime|column '([^']+)'/i;

/**
 * Explains an error of Polars about stamps of two zones, which it does not join: names both, and how to convert.
 *
 * @param error What was thrown
 * @returns An {@linkcode ArgumentError}, or the error itself if it is about something else
 */
export function explainZones(error: unknown): unknown {
  const { message } = error as Error;
  const found = [...String(message).matchAll(STAMPS)];
  const zones = [...new Set(found.map(([, zone]) => zone))];
  if (zones.length !== 2) return error;
  const [, joined, stacked] = COLUMN.exec(message) ?? [];
  const column = joined ?? stacked ?? "time";
  const bare = zones.includes(undefined as never);
  const zone = zones.includes("UTC") ? "UTC" : zones.find((one) => one !== undefined);
  const convert = bare ? `replaceTimeZone` : `convertTimeZone`;
  const places = zones.map((one) => one ?? "no time zone").sort().join(" and ");
  return new ArgumentError(
    `Cannot join hours of two time zones: the stamps "${column}" are in ${places}. ` +
      (bare ? "Give those without one their zone" : "Convert one side") +
      ` first: frame.withColumn(pl.col("${column}").dt.${convert}("${zone}"))`,
    { cause: error },
  );
}
