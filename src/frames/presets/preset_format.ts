import type { ProductionFormat } from "../production/production_format.ts";
import {
  assertFormat,
  assertTurbines,
  type Contradiction,
  refuseFields,
} from "../production/production_rules.ts";
import { findPreset, type Preset, type PresetName, presets, type TablePreset } from "./presets.ts";

/** A preset, and fields that differ from it: other columns, turbines to read, the zone if the files name none. */
export interface PresetFormat extends Partial<ProductionFormat> {
  /** Name of the preset. */
  readonly preset: PresetName;
}

/** How files are read: the format of a table, or a register. */
export type ReadingPlan =
  | {
    readonly how: ProductionFormat;
    readonly preset: Partial<TablePreset>;
  }
  | {
    readonly register: Extract<Preset, { register: unknown }>;
    readonly turbines: ProductionFormat["turbines"];
  };

/** Files of a folder that a format without preset reads. */
const ANY_TABLE = /\.(?:csv|txt|tsv|xlsx|parquet)$/i;

/**
 * Combines a preset with the fields that differ from it.
 *
 * @param how A format, the name of a preset, or a preset with fields that differ from it
 * @throws {ArgumentError} If there is no such preset, or fields are unknown or contradict each other
 */
export function planReading(
  file: string,
  how: ProductionFormat | PresetName | PresetFormat,
): ReadingPlan {
  const choice: unknown = typeof how === "string" ? { preset: how } : how;
  if (typeof choice !== "object" || choice === null || !("preset" in choice)) {
    assertFormat(file, how as ProductionFormat);
    return { how: how as ProductionFormat, preset: {} };
  }
  const { preset: name, ...changes } = choice as PresetFormat;
  const preset = findPreset(name, `read ${file}`);
  if ("register" in preset) {
    const extra = findExtraField(name, changes);
    refuseFields(file, extra ? [extra] : []);
    assertTurbines(file, changes.turbines);
    return { register: preset, turbines: changes.turbines };
  }
  const merged = { ...preset.format, ...changes };
  if (!preset.preamble) assertFormat(file, merged);
  else {
    if (changes.turbine !== undefined) {
      refuseFields(file, [{
        field: "turbine",
        problem: "the lines above the table already name the turbine. Omit this field",
      }]);
    }
    // The preamble shows which turbines to read, not a column.
    const { turbines, ...checked } = merged;
    assertFormat(file, checked);
    assertTurbines(file, turbines);
  }
  return { how: merged, preset };
}

/** Names of the files that a plan reads from a folder or an archive. */
export function wantedFiles(plan: ReadingPlan): RegExp {
  return ("register" in plan ? plan.register : plan.preset).files ?? ANY_TABLE;
}

/** Finds a field that a register does not accept, because its workbook has a fixed layout. */
export function findExtraField(
  name: PresetName,
  changes: Partial<ProductionFormat>,
): Contradiction | undefined {
  if (!("register" in presets[name])) return undefined;
  const field = (Object.keys(changes) as (keyof ProductionFormat)[])
    .find((one) => one !== "turbines");
  return field && {
    field,
    problem: `the preset "${name}" accepts only "turbines". Omit this field`,
  };
}

/** Finds the fields of a format that differ from a preset. */
export function findChanges(
  how: Partial<ProductionFormat>,
  name: PresetName,
): Partial<ProductionFormat> {
  const known = presetFields(name) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(how).filter(([field, value]) => known[field] !== value));
}

/** Format that a preset declares, for a site file; for a register, its header, resolution and unit. */
export function presetFields(name: PresetName): Partial<ProductionFormat> {
  const preset: Preset = presets[name];
  if (!("register" in preset)) return preset.format;
  const { header, unit } = preset;
  return { column: header, time: header, resolution: "month", unit };
}
