import { z } from "zod";
import { oneOf, strictFields } from "../../frames/production/declared_fields.ts";
import {
  productionFields,
  type ProductionFormat,
} from "../../frames/production/production_format.ts";
import { listContradictions } from "../../frames/production/production_rules.ts";
import { findChanges, findExtraField, presetFields } from "../../frames/presets/preset_format.ts";
import { isPreset, type PresetName, presets } from "../../frames/presets/presets.ts";
import { evenWithFaults, expect, list, text } from "./declared_values.ts";
import { type FieldName, toEntryField } from "./field_names.ts";

/** A camelCase name as a site file writes it: `timeZone` is `time_zone`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

type Fields = typeof productionFields;

const preset = oneOf(Object.keys(presets) as PresetName[]).optional();

const WANTED_FILE = "the path of the production file";

/** Files of an entry, as readProduction() takes them. */
const file = z.union(
  [
    text(`${WANTED_FILE}, of a folder or a zip archive of many, or a pattern like "data/*.csv"`),
    list("a list of paths, one at least", text(WANTED_FILE), [1, Infinity]).readonly(),
  ],
  expect(
    `${WANTED_FILE}, a list of such, a folder, a pattern like "data/*.csv" or a zip archive of many`,
  ),
);

type EntryFields =
  & { readonly [Field in keyof Fields as SnakeCase<Field>]: Fields[Field] }
  & { readonly file: typeof file; readonly preset: typeof preset };

const fields = Object.keys(productionFields) as (keyof ProductionFormat)[];

/**
 * Builds the schema of a production entry: the fields of a production format, and the files; or a preset, and what differs
 * from it.
 *
 * @param name Names of the fields as the user writes them
 */
export function buildEntrySchema(name: FieldName): z.ZodType<ProductionEntry> {
  const own = (field: keyof ProductionFormat) => name(toEntryField(field));
  const entryFields = strictFields({
    file,
    preset,
    ...Object.fromEntries(fields.map((field) => [own(field), productionFields[field]])),
  } as EntryFields).superRefine((entry, context) => {
    if (entry.preset !== undefined && !isPreset(entry.preset)) return; // its fields are not known
    const { turbines, ...format } = readFormat(entry, own);
    // The preset knows where a file names its turbine.
    const checked: ProductionFormat = entry.preset === undefined && turbines
      ? { ...format, turbines }
      : format;
    const extra = entry.preset && findExtraField(entry.preset, findChanges(format, entry.preset));
    const faulty = fields.filter((field) =>
      !productionFields[field].safeParse(checked[field]).success
    );
    const found = extra ? [extra] : listContradictions(checked, own, new Set(faulty));
    for (const { field, found: message } of found) {
      context.addIssue({ code: "custom", path: [own(field)], message });
    }
  }, evenWithFaults).meta({
    // For the JSON Schema: a preset has the fields that are needed.
    required: ["file"],
    anyOf: [{ required: ["preset"] }, { required: ["column", "time", "resolution", "unit"] }],
  });
  /** Adds the fields of the preset that an entry names to those that it has itself. */
  const addPreset = (entry: unknown): unknown => {
    if (typeof entry !== "object" || entry === null || !("preset" in entry)) return entry;
    // An unknown preset is one fault, and not its fields as well.
    const known = Object.entries(presetFields(isPreset(entry.preset) ? entry.preset : "greenbyte"))
      .map(([field, value]) => [own(field as keyof ProductionFormat), value]);
    return { ...Object.fromEntries(known), ...entry };
  };
  return z.preprocess(addPreset, entryFields);
}

/** A production entry as read, with the fields of its preset. */
export type ProductionEntry = z.infer<z.ZodObject<EntryFields>>;

function readFormat(
  entry: object,
  own: (field: keyof ProductionFormat) => string,
): ProductionFormat {
  const given = entry as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.filter((field) => given[own(field)] !== undefined && given[own(field)] !== null)
      .map((field) => [field, given[own(field)]]),
  ) as unknown as ProductionFormat;
}

/** Names the files of a production entry in a message. */
export function nameFiles({ file }: Pick<ProductionEntry, "file">): string {
  const [first, ...others] = [file].flat();
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Format of the files of a production entry. */
export function toProductionFormat(entry: ProductionEntry): ProductionFormat {
  return readFormat(entry, toEntryField);
}
