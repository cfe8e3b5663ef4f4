import { z } from "zod";
import { oneOf, strictFields } from "../../show/options/declared_fields.ts";
import {
  productionFields,
  type ProductionFormat,
} from "../../frames/production/production_format.ts";
import { listContradictions } from "../../frames/production/production_rules.ts";
import { findChanges, findExtraField, presetFields } from "../../frames/presets/preset_format.ts";
import { isPreset, type PresetName, presets } from "../../frames/presets/presets.ts";
import { expect, list, text, withRule } from "./declared_values.ts";
const preset = oneOf(Object.keys(presets) as PresetName[]).optional()
  .describe("the preset, a known layout");

const WANTED_FILE = "the path of the production file";

/** Files of an entry, as for readProduction(). */
const file = z.union(
  [
    text(`${WANTED_FILE}, of a folder or a zip archive of many, or a pattern like "data/*.csv"`),
    list("a list of at least one path", text(WANTED_FILE), [1, Infinity]).readonly(),
  ],
  expect(
    `${WANTED_FILE}, a list of these, a folder, a pattern like "data/*.csv" or a zip archive of many`,
  ),
).describe("production: a file, a folder or a zip archive of many, or a pattern like data/*.csv");

/** The fields of an entry. */
export const entryFields = { file, preset, ...productionFields };

/** A production entry as read, with the fields of its preset. */
export type ProductionEntry = z.infer<z.ZodObject<typeof entryFields>>;

/** Adds the fields of an entry's preset; the entry's fields take precedence. */
function addPreset(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || !("preset" in entry)) return entry;
  // An unknown preset is one problem; the fields of a known one prevent further ones.
  return { ...presetFields(isPreset(entry.preset) ? entry.preset : "greenbyte"), ...entry };
}

/** Schema of a production entry: files with the fields of their format, or with a preset and differences from it. */
export const productionEntry: z.ZodType<ProductionEntry> = z.preprocess(
  addPreset,
  withRule(strictFields(entryFields), (entry, report) => {
    if (entry.preset !== undefined && !isPreset(entry.preset)) return; // its fields are unknown
    const { turbines, ...format } = toProductionFormat(entry);
    // A preset defines where a file names its turbine.
    const checked: ProductionFormat = entry.preset === undefined && turbines
      ? { ...format, turbines }
      : format;
    const extra = entry.preset && findExtraField(entry.preset, findChanges(format, entry.preset));
    for (const { field, problem } of extra ? [extra] : listContradictions(checked)) {
      report([field], problem);
    }
  }).meta({
    // For the JSON Schema: a preset has the required fields.
    required: ["file"],
    anyOf: [{ required: ["preset"] }, { required: ["column", "time", "resolution", "unit"] }],
  }),
);

/** Names the files of a production entry in a message. */
export function nameFiles({ file }: Pick<ProductionEntry, "file">): string {
  const [first, ...others] = [file].flat();
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Format of the files of a production entry. */
export function toProductionFormat(
  { file: _file, preset: _preset, ...how }: ProductionEntry,
): ProductionFormat {
  return how as ProductionFormat;
}
