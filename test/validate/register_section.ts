import { parametricPowerCurve } from "../../src/sites/power_curves/parametric_power_curve.ts";
import { median } from "../../src/stats/spread.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type { EnergyPeriod } from "../../src/windindex/calibration/production.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { computeDistance } from "../../src/windindex/climate/site_weights.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { readRows, siteData } from "./_site_data.ts";

/** Years in which nearly all turbines ran from January to December. */
const YEARS = [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008];

/** Years to train on, with year error (%), hits (%) and score (%) of the earlier commit on the same turbines. */
const SPLITS: readonly (readonly [
  years: readonly number[],
  year: number,
  hits: number,
  score: number,
])[] = [
  [[2002], 6.2, 81, 25],
  [[2005], 4.5, 97, 18],
  [[2001, 2002], 5.1, 73, 24],
  [[2001, 2002, 2003, 2004], 5.5, 16, 48],
  [[2005, 2006, 2007, 2008], 4.7, 11, 36],
  [[2001, 2002, 2003, 2004, 2005, 2006], 3.8, 65, 35],
];

/** Share of its usual year below which a turbine probably stood for months; such turbines are left out. */
const STOOD = 0.83;

/** A turbine of the register with its annual energies, MWh. */
interface RegisteredTurbine {
  readonly turbine: Turbine;
  readonly hub: HubConditions;
  readonly produced: ReadonlyMap<number, number>;
}

async function readRegister(points: readonly ClimatePoint[]): Promise<RegisteredTurbine[]> {
  const [header, ...years] = await readRows("danish_register/annual_mwh.csv");
  const [, ...turbines] = await readRows("danish_register/turbines.csv");
  const all = turbines.map((fields): RegisteredTurbine => {
    const id = fields[fields.length - 1];
    const [latitude, longitude] = fields.slice(-5, -3).map(Number);
    const [ratedPower, rotorDiameter, hubHeight] = fields.slice(1, 4).map(Number);
    const turbine: Turbine = {
      ...{ id, name: id, latitude, longitude, elevation: 0, hubHeight, rotorDiameter, ratedPower },
      units: 1,
      timeZone: "Europe/Copenhagen",
      powerControl: "pcPitch",
      powerCurve: parametricPowerCurve({ ratedPower, rotorDiameter }),
    };
    const nearest = points.toSorted((a, b) =>
      computeDistance(a, turbine) - computeDistance(b, turbine)
    ).slice(0, 1);
    const column = header.indexOf(id);
    return {
      turbine,
      hub: computeHubConditions(computeSiteClimate(nearest, turbine), turbine),
      produced: new Map(
        years.filter((row) => row[column] !== "").map((row) => [
          Number(row[0]),
          Number(row[column]),
        ]),
      ),
    };
  });
  return all.filter((one) => !hasStood(one, all));
}

/** Whether a turbine produced far less in a year than the others predict. */
function hasStood({ produced }: RegisteredTurbine, all: readonly RegisteredTurbine[]): boolean {
  const level = (energies: ReadonlyMap<number, number>) =>
    mean(YEARS.map((year) => Math.log(energies.get(year)!)));
  const ratios = YEARS.map((year) =>
    Math.log(produced.get(year)!) - level(produced) -
    median(Float64Array.from(all, (one) => Math.log(one.produced.get(year)!) - level(one.produced)))
  );
  const usual = median(Float64Array.from(ratios));
  return ratios.some((ratio) => Math.abs(ratio - usual) > -Math.log(STOOD));
}

/** Errors in the years that a calibration has not seen. */
interface UnseenYears {
  /** Mean absolute error of a year, %. */
  readonly year: number;
  /** Absolute error of their mean, %. */
  readonly span: number;
  /** Half the width of its 90 % interval, %. */
  readonly width: number;
  readonly hit: boolean;
  /** Interval score at 90 % over the produced mean, %. */
  readonly score: number;
}

function predictYears(
  { turbine, hub, produced }: RegisteredTurbine,
  trained: readonly number[],
): UnseenYears {
  const startOf = (year: number) =>
    Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(turbine.timeZone)
      .epochMilliseconds;
  const periods = trained.map((year): EnergyPeriod => ({
    label: String(year),
    start: startOf(year),
    end: startOf(year + 1),
    energy: 1000 * produced.get(year)!,
  }));
  const production = { kind: "periods" as const, periods };
  const set = buildTrainingSet(hub, [{ production }], turbine.timeZone);
  const training = computeTrainingEnergies(set, hub, turbine);
  const calibration = calibrate(training);
  const months = computeMonthlyEnergies(
    computeModelledPower(turbine, calibration, hub),
    hub.axis,
    turbine.timeZone,
  );
  const years = YEARS.filter((year) => !trained.includes(year));
  const { longTerm } = computeUncertainty(training, calibration, { months, reference: { years } });
  const pairs = years.map((year) => ({
    produced: produced.get(year)!,
    predicted: months.reduce((sum, one) => one.year === year ? sum + one.energy! / 1000 : sum, 0),
  }));
  const truth = mean(pairs.map((pair) => pair.produced));
  const [low, high] = [longTerm.low / 1000 / truth, longTerm.high / 1000 / truth];
  const missed = Math.max(0, low - 1) + Math.max(0, 1 - high);
  return {
    year: 100 * mean(pairs.map(({ produced, predicted }) => Math.abs(predicted / produced - 1))),
    span: 100 * Math.abs(mean(pairs.map(({ predicted }) => predicted)) / truth - 1),
    width: 100 * (Math.sqrt(high / low) - 1),
    hit: missed === 0,
    score: 100 * (high - low + 20 * missed),
  };
}

/** Writes the section on turbines of the Danish register: years predicted from others by annual energies alone. */
export async function registerSection(): Promise<Section> {
  const [{ climate }] = (await siteData("horns_rev")).reanalyses;
  const turbines = await readRegister(climate);
  const missed: string[] = [];
  const errors: number[] = [];
  const rows = SPLITS.map(([trained, yearBefore, hitsBefore, scoreBefore]) => {
    const all = turbines.map((one) => predictYears(one, trained));
    const of = (value: (one: UnseenYears) => number) => mean(all.map(value));
    const [year, score, hits] = [
      of((one) => one.year),
      of((one) => one.score),
      of((one) => Number(one.hit)),
    ];
    const name = trained.length === 1 ? `${trained[0]}` : `${trained[0]} to ${trained.at(-1)}`;
    errors.push(year);
    if (year > yearBefore + 0.05) {
      missed.push(`Danish register, ${name}: year error ${year.toFixed(1)} %`);
    }
    if (hits < 0.8 || hits > 1 - 1 / all.length) {
      missed.push(`Danish register, ${name}: ${(100 * hits).toFixed(0)} % in the interval`);
    }
    if (trained.length === 4 && score > scoreBefore / 2) {
      missed.push(`Danish register, ${name}: score ${score.toFixed(1)} %`);
    }
    return [
      name,
      formatPercent(yearBefore),
      formatPercent(year),
      formatPercent(of((one) => one.span)),
      formatPercent(of((one) => one.width)),
      `${hitsBefore} %`,
      `${all.filter(({ hit }) => hit).length} of ${all.length}`,
      `${scoreBefore}`,
      score.toFixed(0),
    ];
  });
  if (mean(errors) >= 4.5) missed.push(`Danish register: mean year error ${mean(errors)} %`);
  return {
    lines: [
      "## Danish register, 2001 to 2008: years predicted from other years",
      "",
      `The ${turbines.length} turbines of this section are on land and have a rated power of 0.5 to 0.75 MW.`,
      "The turbines are 18 to 40 km east of the nearest grid point of ERA5.",
      "We excluded turbines that stood still for months.",
      "We calibrate each turbine separately, with a parametric power curve.",
      "The training data are the annual energies of the years in the first column.",
      'The column "year" shows the mean absolute error of a single year outside the training years.',
      'The column "span" shows the absolute error of the mean energy of all years outside the training years.',
      'The columns "half width", "hits" and "score" describe the 90 % interval of this mean energy.',
      'The columns with "before" in the title show the results of commit 126403a2 for the same years.',
      "All turbines have the same wind and the same reanalysis, so the six rows correspond to about two independent cases.",
      "",
      ...markdownTable(
        [
          "trained on",
          "year, before",
          "year",
          "span",
          "half width",
          "hits, before",
          "hits",
          "score, before",
          "score",
        ],
        rows,
      ),
      "",
    ],
    missed,
  };
}
