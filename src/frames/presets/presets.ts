import { ArgumentError } from "../../api/errors.ts";
import { describeValue } from "../../api/error_text.ts";
import { suggestName } from "../../show/options/suggest.ts";
import { danishRegister } from "./danish_register.ts";
import { edp } from "./edp.ts";
import { greenbyte } from "./greenbyte.ts";
import { hillOfTowie } from "./hill_of_towie.ts";
import type { Preset } from "./preset.ts";

/** Name of a preset: a layout of files that is known. */
export type PresetName = "greenbyte" | "hill-of-towie" | "edp" | "danish-register";

/** The presets by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  "greenbyte": greenbyte,
  "hill-of-towie": hillOfTowie,
  "edp": edp,
  "danish-register": danishRegister,
};

/** Whether a value is the name of a preset. */
export function isPreset(name: unknown): name is PresetName {
  return typeof name === "string" && Object.hasOwn(presets, name);
}

/**
 * Finds a preset.
 *
 * @param name Its name, as a user gives it
 * @param what What is to be done, for messages
 * @throws {ArgumentError} If there is no such preset; the message suggests one
 */
export function findPreset(name: unknown, what: string): Preset {
  const known = Object.keys(presets);
  if (isPreset(name)) return presets[name];
  const near = typeof name === "string" ? suggestName(name, known) : undefined;
  const found = name === undefined
    ? "the preset is missing"
    : `there is no preset ${describeValue(name)}`;
  throw new ArgumentError(
    `Cannot ${what}: ${found}. ` +
      (near ? `Did you mean "${near}"?` : `The presets are ${known.join(", ")}`),
  );
}
