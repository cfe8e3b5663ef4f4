import type { Calibration } from "./calibration.ts";
import { DEFAULT_SMOOTHING } from "./training_energies.ts";

/** What stands for the calibration of a location index: the wind as it is, k = 1, and the usual smoothing of the power curve. */
export const UNCALIBRATED: Calibration = {
  k: 1,
  scaling: { kind: "factor", k: 1 },
  smoothing: DEFAULT_SMOOTHING,
  candidates: [],
  periods: [],
  hours: 0,
  residual: null,
};

/** Whether a calibration was fitted to production; one that was not is that of a location index. */
export function isCalibrated({ periods }: Pick<Calibration, "periods">): boolean {
  return periods.length > 0;
}
