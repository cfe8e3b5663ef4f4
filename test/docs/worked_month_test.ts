/**
 * The worked month of docs/month-by-hand.md, recomputed by the engine from the tables of the page itself.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { HourAxis } from "../../src/time/hourly.ts";
import {
  computeTrainingEnergies,
  DEFAULT_SMOOTHING,
} from "../../src/windindex/calibration/training_energies.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthIndices } from "../../src/windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower, computePowerAtStamps } from "../../src/windindex/power_model.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { scaleSpeed } from "../../src/windindex/scaling/wind_scaling.ts";

const section = await Deno.readTextFile(new URL("../../docs/month-by-hand.md", import.meta.url));

/** Rows of the table whose header begins with these cells, without the header. */
function table(...begins: readonly string[]): string[][] {
  const lines = section.split("\n");
  const cells = (line: string) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  const at = lines.findIndex((line) => begins.every((name, i) => cells(line)[i] === name));
  assert(at >= 0, `the page has no table of ${begins.join(", ")}`);
  const end = lines.findIndex((line, i) => i > at && !line.startsWith("|"));
  return lines.slice(at + 2, end).map(cells);
}

const weather = new Map(
  table("weather", "u at 10 m").map(([name, ...values]) => [name, values.map(Number)]),
);
const kinds = [...weather.keys()];
const steps = new Map(
  table("weather", "exponent").map(([name, ...values]) => [name, values.map(Number)]),
);
const months = table("month", "light").map(([label, ...values]) => ({
  label,
  hours: values.slice(0, 3).map(Number),
  energy: Number(values[3]),
}));
const curve = () => {
  const lines = section.split("\n");
  const numbers = (begin: string) =>
    lines.find((line) => line.startsWith(begin))!.split("|").slice(2, -1).map(Number);
  const powers = numbers("| power, kW");
  return numbers("| wind speed, m/s").map((wind_speed, i) => ({ wind_speed, power: powers[i] }));
};

const turbine: Turbine = {
  id: "W1",
  name: "Worked example",
  latitude: 55,
  longitude: 8,
  elevation: 50,
  hubHeight: 80,
  rotorDiameter: 90,
  ratedPower: 2000,
  units: 1,
  timeZone: "UTC",
  powerControl: "pcPitch",
  powerCurve: curve(),
};

/** Kind of weather of each hour: the months' hours of light, fresh and strong weather one after the other. */
const hours = months.flatMap(({ hours }) =>
  hours.flatMap((count, kind) => new Array<number>(count).fill(kind))
);
const axis: HourAxis = {
  start: Temporal.Instant.from(`${months[0].label}-01T00Z`).epochMilliseconds,
  length: hours.length,
};
const column = (i: number) => Float64Array.from(hours, (kind) => weather.get(kinds[kind])![i]);
const point: ClimatePoint = {
  latitude: 55,
  longitude: 8,
  elevation: 20,
  axis,
  stamp: "start",
  levels: [
    { height: 10, u: column(0), v: column(1) },
    { height: 100, u: column(2), v: column(3) },
  ],
  temperature: column(4),
  pressure: column(5),
  relativeHumidity: column(6),
};
const hub = computeHubConditions(computeSiteClimate([point], turbine), turbine);
const model = { scaling: { kind: "factor", k: 0.95 }, smoothing: DEFAULT_SMOOTHING } as const;
const energies = computeMonthlyEnergies(computeModelledPower(turbine, model, hub), axis, "UTC");

/** Accuracy of the tabulated curve and of what the page rounds, kW, and of the energy of a month that follows, MWh. */
const POWER = 0.2;
const ENERGY = POWER * 744 / 1000;

describe("the worked month of docs/month-by-hand.md", () => {
  it("has months of all their hours", () => {
    for (const { label, hours } of months) {
      const month = Temporal.PlainYearMonth.from(label);
      assertEquals(hours.reduce((sum, count) => sum + count, 0), 24 * month.daysInMonth, label);
    }
  });

  it("goes from weather to power as the engine does", () => {
    const speeds = scaleSpeed(model.scaling, hub, turbine);
    const [sharp, smoothed] = [0, DEFAULT_SMOOTHING].map((smoothing) =>
      computePowerAtStamps(turbine, speeds, hub.logDensityRatio, smoothing)
    );
    kinds.forEach((name, kind) => {
      const at = hours.indexOf(kind);
      const [, atHub, calibrated, density, , ofCurve, kilowatts] = steps.get(name)!;
      assertAlmostEquals(hub.windSpeed[at], atHub, 0.0005);
      assertAlmostEquals(speeds[at], calibrated, 0.0005);
      assertAlmostEquals(hub.airDensity[at], density, 0.00005);
      assertAlmostEquals(sharp[at], ofCurve, 0.05);
      assertAlmostEquals(smoothed[at], kilowatts, POWER);
    });
  });

  it("smooths the power of fresh weather over the speeds of its table", () => {
    const at = hours.indexOf(kinds.indexOf("fresh"));
    const [speed] = scaleSpeed(model.scaling, hub, turbine).slice(at);
    const rows = table("deviations", "share").map((row) => row.map(Number));
    const density = (deviation: number) => Math.exp(-0.5 * deviation ** 2);
    const whole = [-4, -3, -2, -1, 0, 1, 2, 3, 4].reduce((sum, one) => sum + density(one), 0);
    for (const [deviation, share, tableSpeed, kilowatts] of rows) {
      assertAlmostEquals(share, density(deviation) / whole, 0.00005);
      assertAlmostEquals(tableSpeed, speed + deviation * DEFAULT_SMOOTHING, 0.0005);
      const power = computePowerAtStamps(
        turbine,
        Float64Array.of(tableSpeed),
        hub.logDensityRatio.slice(at, at + 1),
        0,
      );
      assertAlmostEquals(power[0], kilowatts, 0.15); // 0.0005 m/s are 0.15 kW
    }
    const sum = rows.reduce((total, [, share, , kilowatts]) => total + share * kilowatts, 0);
    const [, coarse, fine] = /is ([\d.]+) kW\. With steps of 0\.1 m\/s, the sum is ([\d.]+) kW/
      .exec(
        section,
      )!;
    assertAlmostEquals(sum, Number(coarse), 0.05);
    assertEquals(Number(fine), steps.get("fresh")![6]);
  });

  it("has the energies of its months", () => {
    assertEquals(energies.length, months.length);
    months.forEach(({ energy }, i) =>
      assertAlmostEquals(energies[i].energy! / 1000, energy, ENERGY)
    );
  });

  it("is calibrated by the production of 2023", () => {
    const written = Number(/The turbine produced ([\d.]+) MWh in 2023/.exec(section)![1]);
    const production = {
      kind: "periods",
      periods: [{
        label: "2023",
        start: axis.start,
        end: Temporal.Instant.from("2024-01-01T00Z").epochMilliseconds,
        energy: written * 1000,
      }],
    } as const;
    const set = buildTrainingSet(hub, [{ production }], "UTC");
    assertAlmostEquals(calibrate(computeTrainingEnergies(set, hub, turbine)).k, 0.95, 1e-4);
  });

  it("has the six figures of January 2024", () => {
    const figures = computeMonthIndices(
      energies,
      computeNormals(energies, chooseReferencePeriod(energies)),
    );
    const january = figures[figures.length - 1];
    assertEquals([january.year, january.month], [2024, 1]);
    const rows = table("figure", "by hand");
    assertEquals(rows.length, 6);
    for (const [name, , value] of rows) {
      const figure = january[name.replaceAll("`", "") as "month_index"]!;
      assertAlmostEquals(figure, Number(value), name.includes("production") ? ENERGY : 0.05, name);
    }
  });
});
