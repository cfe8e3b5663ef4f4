import { Neighbourhood } from "../../src/service/import/neighbour_production.ts";
import type { SiteData } from "../../src/service/import/site_data.ts";
import { checkProduction } from "../../src/service/import/training_inputs.ts";
import { calibrate, isWhole } from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeHub } from "./_site_data.ts";

/** How produced over modelled energy goes through the year. */
export interface Season {
  /** The turbine. */
  readonly turbine: string;
  /** Standard deviation of the wave, less what the scatter of the months makes of it, %. */
  readonly deviation: number;
  /** Standard deviation of the months around the wave, %. */
  readonly scatter: number;
  /** Month in which production is highest against the model: 1.0 is the middle of January. */
  readonly peak: number;
}

/** Coefficients of a least-squares fit, by the normal equations (Gauss-Jordan). */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const size = rows[0].length;
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)),
    rows.reduce((sum, row, k) => sum + row[i] * values[k], 0),
  ]);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = matrix[k][i] / matrix[i][i];
      matrix[k] = matrix[k].map((value, j) => value - factor * matrix[i][j]);
    }
  }
  return matrix.map((row, i) => row[size] / row[i]);
}

/**
 * Fits a wave of one year to produced over modelled energy of the months, with one factor on the wind speed: what a short
 * record is calibrated with.
 *
 * @param data The site, with a year of hourly production
 * @param position Which of its turbines
 */
export function seasonOf(data: SiteData, position: number): Season {
  const { turbine, production, exclusions } = data.turbines[position];
  const hub = computeHub(data, turbine);
  const neighbours = new Neighbourhood(data).findNearest(position);
  const { inputs } = checkProduction(production, turbine, exclusions, neighbours);
  const set = buildTrainingSet(hub, inputs, turbine.timeZone);
  const months = calibrate(computeTrainingEnergies(set, hub, turbine, ["factor"])).periods.filter(
    isWhole,
  );
  const ratios = months.map(({ produced, modelled }) => produced / modelled! - 1);
  const rows = months.map(({ label }) => {
    const angle = 2 * Math.PI * (Number(label.slice(5)) - 1) / 12;
    return [1, Math.cos(angle), Math.sin(angle)];
  });
  const [mean, cosine, sine] = leastSquares(rows, ratios);
  const squares = ratios.reduce((sum, ratio, i) => {
    const wave = mean + cosine * rows[i][1] + sine * rows[i][2];
    return sum + (ratio - wave) ** 2;
  }, 0);
  const variance = squares / (ratios.length - 3);
  // Each of the two amplitudes has a variance of 2 / n of that of the months.
  const amplitude = cosine ** 2 + sine ** 2 - 4 * variance / ratios.length;
  return {
    turbine: turbine.id,
    deviation: 100 * Math.sqrt(Math.max(0, amplitude) / 2),
    scatter: 100 * Math.sqrt(variance),
    peak: (Math.atan2(sine, cosine) * 6 / Math.PI + 12) % 12 + 1,
  };
}
