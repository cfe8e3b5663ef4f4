/** Name of a field as the user writes it, by its name in a site file: `hub_height` is `hubHeight` in a program. */
export type FieldName = (field: string) => string;

/** Name of a field in a site file, by its name in a program. */
export function toEntryField(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Name of a field in a program, by its name in a site file. */
export function toProgramField(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Fields whose own keys are data: names of variables, columns and turbines. */
export const KEYED_BY_DATA: ReadonlySet<string> = new Set([
  "variables",
  "where",
  "column",
  "status",
  "availability",
  "validHours",
  "valid_hours",
]);

/**
 * Writes what a program declares with the names that a site file has; keys that are data keep theirs.
 *
 * @param value An object of declared fields, a list of such, or a plain value
 */
export function toEntryFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toEntryFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => one !== undefined).map(([field, one]) => [
      toEntryField(field),
      KEYED_BY_DATA.has(field) ? one : toEntryFields(one),
    ]),
  );
}
