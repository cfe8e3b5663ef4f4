/**
 * The turbine T2 of the sample in the engine, with the settings of the page. It gives the same figures in a browser
 * and in Deno.
 *
 * @module
 */
import { simulateClimate } from "../../src/sample/climate.ts";
import { simulateProduction } from "../../src/sample/production.ts";
import { sampleSites } from "../../src/sample/sites.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type { PeriodProduction } from "../../src/windindex/calibration/production.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { REFERENCE_DENSITY } from "../../src/windindex/climate/climate.ts";
import { computeSiteClimate, type SiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeMonthIndices, type MonthIndices } from "../../src/windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeNormals, type Normals } from "../../src/windindex/index/reference_period.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import type { PowerControl } from "../../src/windindex/turbine/power_curve.ts";
import { SmoothedPower } from "../../src/windindex/turbine/smoothed_power.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { mean } from "../../src/stats/spread.ts";

/** Settings of the page. */
export interface Settings {
  /** Wind speed at the turbine over the climate's wind speed at hub height. */
  readonly k: number;
  /** Standard deviation of the wind speeds over which the power curve is averaged, m/s. */
  readonly smoothing: number;
  /** Hub height above ground, m. */
  readonly hubHeight: number;
  /** Factor on the air density of each hour. */
  readonly density: number;
  readonly powerControl: PowerControl;
  /** First year of the reference period. */
  readonly from: number;
  /** Last year of the reference period. */
  readonly to: number;
}

/** Results of the engine for the settings. */
export interface Figures {
  readonly months: readonly MonthIndices[];
  readonly normals: Normals;
  /** Energy of each whole year over the normal year, %. */
  readonly years: readonly { readonly year: number; readonly index: number }[];
  /** Modelled over produced energy of the months with production, %. */
  readonly modelledShare: number;
  /** Mean air density at the hub, kg/m3. */
  readonly meanDensity: number;
  /** Power by wind speed at that density, kW, from 0 m/s on in steps of {@linkcode CURVE_STEP}. */
  readonly curve: readonly number[];
}

/** Step of the wind speeds of a curve, m/s. */
export const CURVE_STEP = 0.25;

/** Number of wind speeds of a curve. */
const CURVE_POINTS = 30 / CURVE_STEP + 1;

/** Years of the page; the sample's reference period has the last twenty. */
export const YEARS: readonly [number, number] = [2005, 2025];

/** The turbine with its climate and production. */
export class LearningTurbine {
  readonly turbine: Turbine;
  /** Energy of months, kWh. */
  readonly production: PeriodProduction;
  readonly #climate: SiteClimate;

  /** Simulates its climate, which takes about a second. */
  constructor() {
    const site = sampleSites.find(({ turbines }) => turbines.some(({ id }) => id === "T2"))!;
    const turbine = site.turbines.find(({ id }) => id === "T2")!;
    const climate = simulateClimate(site);
    this.turbine = turbine;
    this.production = simulateProduction(site, turbine, climate) as PeriodProduction;
    this.#climate = computeSiteClimate(climate, turbine);
  }

  /** The turbine as declared, calibrated: the figures of `monthlyIndices("T2")`. */
  start(): Settings {
    const { hubHeight, powerControl } = this.turbine;
    const declared = { k: 1, smoothing: 1, hubHeight, density: 1, powerControl };
    const settings = { ...declared, from: YEARS[0] + 1, to: YEARS[1] };
    return { ...settings, ...this.fit(settings) };
  }

  /** Calibrates k and smoothing, so modelled energy equals production. */
  fit(settings: Settings): Pick<Settings, "k" | "smoothing"> {
    const hub = this.#hub(settings);
    const set = buildTrainingSet(hub, [{ production: this.production }], this.turbine.timeZone);
    return calibrate(computeTrainingEnergies(set, hub, this.#set(settings), ["factor"]));
  }

  compute(settings: Settings): Figures {
    const { k, smoothing, from, to } = settings;
    const [turbine, hub] = [this.#set(settings), this.#hub(settings)];
    const model = { scaling: { kind: "factor", k }, smoothing } as const;
    const power = computeModelledPower(turbine, model, hub);
    const energies = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
      .filter(({ year }) => year >= YEARS[0] && year <= YEARS[1]);
    const reference = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const normals = computeNormals(energies, { years: reference });
    const months = computeMonthIndices(energies, normals);
    const produced = new Map(this.production.periods.map(({ label, energy }) => [label, energy]));
    const measured = energies.flatMap(({ year, month, energy }) => {
      const energyProduced = produced.get(`${year}-${String(month).padStart(2, "0")}`);
      return energyProduced === undefined ? [] : [[energy!, energyProduced]];
    });
    const sum = (which: 0 | 1) => measured.reduce((total, pair) => total + pair[which], 0);
    const meanDensity = mean(hub.airDensity) * settings.density;
    const curve = new SmoothedPower(turbine, smoothing);
    return {
      months,
      normals,
      years: months.filter(({ month }) => month === 12)
        .map(({ year, last_full_year_index }) => ({ year, index: last_full_year_index! })),
      modelledShare: 100 * sum(0) / sum(1),
      meanDensity,
      curve: Array.from(
        { length: CURVE_POINTS },
        (_, i) => curve.powerAt(i * CURVE_STEP, Math.log(meanDensity / REFERENCE_DENSITY)),
      ),
    };
  }

  #set({ hubHeight, powerControl }: Settings): Turbine {
    return { ...this.turbine, hubHeight, powerControl };
  }

  #hub(settings: Settings): HubConditions {
    const hub = computeHubConditions(this.#climate, this.#set(settings));
    const change = Math.log(settings.density);
    for (let i = 0; i < hub.logDensityRatio.length; i++) hub.logDensityRatio[i] += change;
    return hub;
  }
}
