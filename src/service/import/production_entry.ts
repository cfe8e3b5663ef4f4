import { z } from "zod";
import { oneOf, strictFields } from "../../frames/production/declared_fields.ts";
import {
  productionFields,
  type ProductionFormat,
} from "../../frames/production/production_format.ts";
import { findContradiction } from "../../frames/production/production_rules.ts";
import { presetFields } from "../../frames/presets/preset_format.ts";
import { type PresetName, presets } from "../../frames/presets/presets.ts";

/** A camelCase name as a site file writes it: `timeZone` is `time_zone`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

type Fields = typeof productionFields;

const preset = oneOf(Object.keys(presets) as PresetName[]).optional();

type EntryFields =
  & { readonly [Field in keyof Fields as SnakeCase<Field>]: Fields[Field] }
  & { readonly file: z.ZodString; readonly preset: typeof preset };

/** Name of a field of a production format in a site file. */
export function toEntryField(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const fields = Object.keys(productionFields) as (keyof ProductionFormat)[];

/** Adds the fields of the preset that an entry names to those that it has itself. */
function addPreset(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || !("preset" in entry)) return entry;
  const known = Object.entries(presetFields(entry.preset))
    .map(([field, value]) => [toEntryField(field), value]);
  return { ...Object.fromEntries(known), ...entry };
}

/**
 * A production entry of a site file: the fields of a production format in snake_case, and the file; or a preset, and what
 * differs from it.
 */
const entryFields = strictFields({
  file: z.string({ error: "is missing. Give the path relative to the folder of the site file" })
    .min(1),
  preset,
  ...Object.fromEntries(fields.map((field) => [toEntryField(field), productionFields[field]])),
} as EntryFields).superRefine((entry, context) => {
  const { turbines, ...format } = toProductionFormat(entry);
  // The preset knows where a file names its turbine.
  const checked = entry.preset === undefined && turbines ? { ...format, turbines } : format;
  const found = findContradiction(checked, toEntryField);
  if (!found) return;
  context.addIssue({ code: "custom", path: [toEntryField(found.field)], message: found.found });
});

/** A production entry of a site file, with the fields of its preset. */
export const productionEntry: z.ZodType<ProductionEntry> = z.preprocess(addPreset, entryFields);

/** A production entry as read. */
export type ProductionEntry = z.infer<z.ZodObject<EntryFields>>;

/** Format of the file of a production entry. */
export function toProductionFormat(entry: ProductionEntry): ProductionFormat {
  const given = entry as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.filter((field) => given[toEntryField(field)] !== undefined)
      .map((field) => [field, given[toEntryField(field)]]),
  ) as unknown as ProductionFormat;
}
