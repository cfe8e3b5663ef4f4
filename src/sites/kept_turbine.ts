import type { StoredTurbine } from "./keep/site_record.ts";
import type { ComputedTurbine } from "./compute_turbine.ts";

/** A turbine after an import, computed or kept, as a summary has it. */
export type ImportedFigures = Pick<
  ComputedTurbine,
  "turbine" | "calibration" | "findings" | "production" | "doubts"
>;

/** A turbine whose inputs are unchanged: it is not computed, and stays as it is stored. */
export interface KeptTurbine extends ImportedFigures {
  /** Name of the file with its hourly model; `null` without calibration. */
  readonly modelFile: string | null;
}

/**
 * Reads a turbine that need not be computed.
 *
 * @param stored The turbine as it is stored, if it is
 * @param inputs Hash of what decides its figures now
 * @param changed Files that are missing or were changed: a turbine whose model is in one is computed anew
 * @returns `null` where it must be computed
 */
export function readKeptTurbine(
  stored: StoredTurbine | undefined,
  inputs: string,
  changed: ReadonlySet<string>,
): KeptTurbine | null {
  if (stored?.inputs !== inputs) return null;
  const { turbine, calibration, production = null, doubts = [], modelFile } = stored;
  if (modelFile !== null && changed.has(modelFile)) return null;
  const findings = calibration?.findings ?? [];
  return { turbine, calibration, findings, production, doubts, modelFile };
}
