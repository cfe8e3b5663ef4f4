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

const keyedByData: ReadonlySet<string> = new Set([
  "variables",
  "where",
  "column",
  "turbines",
  "status",
  "availability",
  "validHours",
  "valid_hours",
]);

/** Whether the keys of what a field has are data: names of variables, columns or turbines. */
export function isKeyedByData(field: string, value: unknown): boolean {
  return keyedByData.has(field) && !Array.isArray(value); // the turbines of a site are a list
}

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
      isKeyedByData(field, one) ? one : toEntryFields(one),
    ]),
  );
}
