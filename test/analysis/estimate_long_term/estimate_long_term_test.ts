import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  estimateLongTerm,
  type EstimateLongTermOptions,
  type LongTermEstimate,
} from "../../../src/analysis/estimate_long_term/estimate_long_term.ts";
import {
  exceedanceColumns,
  longTermColumns,
  uncertaintyColumns,
} from "../../../src/analysis/estimate_long_term/summary.ts";
import type { Column } from "../../../src/api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { TurbineDetails } from "../../../src/api/resources/resources.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { productionColumns } from "../../../src/frames/production/production.ts";
import { CUSTOM_INSPECT } from "../../../src/show/jupyter.ts";

const HOUR = 3_600_000;

/** A frame of months from a first one on; null if a month has no value. */
function monthly(first: string, column: string, values: readonly (number | null)[]): DataFrame {
  const start = Temporal.PlainYearMonth.from(first);
  const dates = values.map((_, i) => `${start.add({ months: i })}-01`);
  return pl.DataFrame([
    pl.Series("month", dates).str.strptime(pl.Date, "%Y-%m-%d"),
    pl.Series(column, [...values], pl.Float64),
  ]);
}

const produced = (first: string, values: readonly (number | null)[]) =>
  monthly(first, "energy", values);
const indexed = (first: string, values: readonly (number | null)[]) =>
  monthly(first, "month_index", values);

type Row = Record<string, number | null>;

function row({ frames: { estimates } }: LongTermEstimate, method: string): Row {
  const estimate = (estimates.toRecords() as unknown as (Row & { method: string })[])
    .find((one) => one.method === method);
  assert(estimate, `no row of the ${method}`);
  return estimate;
}

const methods = ({ frames: { estimates } }: LongTermEstimate) =>
  estimates.getColumn("method").toArray();

function reasons({ frames: { periods } }: LongTermEstimate): string[] {
  const [time] = periods.columns;
  const names = periods.getColumn(time).cast(pl.Utf8).toArray() as string[];
  const reasons = periods.getColumn("reason").toArray() as string[];
  return names.flatMap((name, i) =>
    reasons[i] === "" ? [] : [`${name.slice(0, 7)}: ${reasons[i]}`]
  );
}

// Half a year. 1200 x 2620 / 650 = 4836.923. Means 108.333 and 436.667, Sxx 6083.333, Sxy 24966.667: the line has at 100 %
// 436.667 - 8.333 x 4.104110 = 402.4658, times 12 is 4829.589.
const INDEX = [150, 140, 120, 100, 80, 60];
const ENERGY = [600, 580, 470, 410, 330, 230];
const halfYear = (options: EstimateLongTermOptions = {}) =>
  estimateLongTerm(produced("2023-01", ENERGY), indexed("2023-01", INDEX), options);

/** Twelve normal months, 1200 % together. */
const NORMAL = [150, 140, 120, 100, 80, 60, 50, 60, 80, 100, 120, 140];
const years = (count: number, share: (year: number) => number = () => 1) =>
  Array.from({ length: count }, (_, year) => NORMAL.map((index) => share(year) * index)).flat();

describe("estimateLongTerm()", () => {
  it("gives the figures of a hand calculation: 1200 method and regression", () => {
    const result = halfYear();
    assertAlmostEquals(row(result, "1200 method").p50!, 4836.923, 1e-3);
    assertAlmostEquals(row(result, "regression").p50!, 4829.589, 1e-3);
    for (const method of ["1200 method", "regression"]) {
      assertEquals(row(result, method).months, 6);
      assertEquals(row(result, method).left_out, 0);
    }
  });

  it("S5: weights months by the share of the hours that their energy covers, by hand", () => {
    // April 2023 has 720 hours: 540 of them known, and the turbine could run in 80 % of these, a share of 0.6.
    const frame = produced("2023-01", ENERGY.map((energy, i) => i === 3 ? 0.6 * energy : energy))
      .withColumns(
        pl.Series("valid_hours", ENERGY.map((_, i) => i === 3 ? 540 : null), pl.Float64),
        pl.Series("availability", ENERGY.map((_, i) => i === 3 ? 0.8 : 1), pl.Float64),
      );
    const result = estimateLongTerm(frame, indexed("2023-01", INDEX));
    // Without 0.4 of April: 1200 (2620 - 0.4 x 410) / (650 - 0.4 x 100) = 1200 x 2456 / 610.
    assertAlmostEquals(row(result, "1200 method").p50!, 1200 * 2456 / 610, 1e-9);
    assertEquals(reasons(result), []);
    const april = result.frames.periods.toRecords()[3];
    assertAlmostEquals(Number(april.produced), 410, 1e-9);
    assertAlmostEquals(Number(april.completeness), 0.6, 1e-12);
    const notes = result.notes.join(" ");
    assertStringIncludes(notes, "1 of 6 energies cover only 60 % of their hours");
    assertStringIncludes(
      notes,
      "The normal year assumes 100 % availability, because the estimate scales all production up",
    );
    const fewer = frame.withColumn(
      pl.Series("valid_hours", ENERGY.map((_, i) => i === 3 ? 300 : null), pl.Float64),
    );
    assertEquals(reasons(estimateLongTerm(fewer, indexed("2023-01", INDEX))), [
      "2023-04: its energy covers only 33.3 % of its hours",
    ]);
  });

  it("computes the interval from the scatter of the months, the season and the level", () => {
    // Residuals -4.615, 15.692, -13.692, 6.923, 7.538, -11.846: squares 700.1, of the sum 26.46 MWh, 1.010 % of 2620
    // MWh. Times sqrt(6/5): 1.106 %, with 5 degrees of freedom. The season: six consecutive months have a mean
    // direction of sin(90 deg) / (6 sin(15 deg)) = 0.6440, times 6 %: 3.864 %, with 4. The level in less than a year:
    // 2.3 %, with 4, and 2 % that more years do not reduce. In squares 1.224 + 14.930 + 5.29 + 4 = 25.444: 5.044 %; the
    // bootstrap is 3 % off at most, which is 0.2 % of the total. 25.444^2 / (1.224^2 / 5 + 14.930^2 / 4 + 5.29^2 / 4) =
    // 10.273 degrees of freedom, t between 1.8125 (10) and 1.7959 (11), by 1 / n: 1.8076. Together 9.118 %.
    const { p50, low, high, standard_error } = row(halfYear(), "1200 method");
    assertAlmostEquals(standard_error!, 5.044, 0.002 * 5.044);
    assertAlmostEquals(Math.log(high! / p50!), 0.09118, 0.002 * 0.09118);
    assertAlmostEquals(Math.log(p50! / low!), Math.log(high! / p50!), 1e-12);
  });

  it("has only the intervals of season and level if production follows the index exactly", () => {
    const exact = (count: number) =>
      estimateLongTerm(
        produced("2022-01", years(2).slice(0, count).map((index) => 3 * index)),
        indexed("2022-01", years(2)),
      );
    const quarter = row(exact(3), "1200 method");
    // Three consecutive months: (1 + 2 cos 30 deg) / 3 = 0.91068, times 6 %: 5.464 %; the level 2.3 % and 2 %. In
    // squares 29.857 + 5.29 + 4 = 39.147, with 39.147^2 / (29.857^2 / 4 + 5.29^2 / 4) = 6.667 degrees of freedom: t
    // between 1.9432 (6) and 1.8946 (7), by 1 / n: 1.9092.
    const expected = 1.9092 * Math.hypot(0.91068 * 0.06, 0.023, 0.02);
    assertAlmostEquals(Math.log(quarter.high! / quarter.p50!), expected, 2e-4);
    const two = row(exact(24), "regression");
    assertAlmostEquals(two.p50!, 3600, 1e-9);
    // Two whole years have no season. They know the movement of the level better by the square root of two, but not the
    // error of all years: 5.29 / 2 + 4 = 6.645, with 6.645^2 / (2.645^2 / 4) = 25.25 degrees of freedom, t(25) = 1.7081
    // and t(26) = 1.7056.
    const level = 1.7075 * Math.sqrt(6.645e-4);
    assertAlmostEquals(Math.log(two.p50! / two.low!), level, 2e-5);
    assertAlmostEquals(Math.log(two.high! / two.p50!), level, 2e-5);
  });

  it("scales with production, whatever the order of the rows", () => {
    const before = halfYear();
    const shuffled = estimateLongTerm(
      produced("2023-01", ENERGY.map((energy) => 7.5 * energy)).sort("energy"),
      indexed("2023-01", INDEX).sort("month_index"),
    );
    for (const method of ["1200 method", "regression"]) {
      for (const column of ["p50", "low", "high"]) {
        const value = row(before, method)[column]!;
        assertAlmostEquals(row(shuffled, method)[column]! / value, 7.5, 1e-9);
      }
      assertAlmostEquals(
        row(shuffled, method).standard_error!,
        row(before, method).standard_error!,
        1e-9,
      );
    }
  });

  it("reports which stops the normal year contains", () => {
    assertStringIncludes(
      halfYear().notes.join(" "),
      "The normal year assumes that stops are as frequent as in the months used.",
    );
  });

  it("shows methods that agree within rounding no farther apart than their intervals", () => {
    const { summary } = estimateLongTerm(
      produced("2022-01", years(2).map((index) => 3 * index)),
      indexed("2022-01", years(2)),
    );
    assert(summary.includes("The methods differ by 0.0 %."), summary.join(" "));
  });

  it("draws the same intervals from the same seed", () => {
    const low = (seed: number) => row(halfYear({ seed }), "regression").low;
    assertEquals(low(7), low(7));
    assertNotEquals(low(7), low(8));
  });
});

describe("estimateLongTerm() leaves months out", () => {
  it("if they have no index or no energy, are named, or are far below the others", () => {
    const index: (number | null)[] = [...NORMAL];
    index[10] = null;
    const energy: (number | null)[] = NORMAL.map((percent) => 4 * percent);
    [energy[2], energy[4], energy[7]] = [null, 0, 0.5 * energy[7]!];
    const result = estimateLongTerm(
      produced("2023-01", energy),
      indexed("2023-01", index),
      { leaveOut: ["2023-01"] },
    );
    assertEquals(reasons(result), [
      "2023-01: left out by the caller",
      "2023-03: no energy",
      "2023-05: standstill: no energy produced",
      "2023-08: outage: produced 50 % of the energy expected from its index and the other periods",
      "2023-11: no index",
    ]);
    assertAlmostEquals(row(result, "1200 method").p50!, 4800, 1e-9);
    assertEquals(row(result, "1200 method").months, 7);
    assertEquals(row(result, "1200 method").left_out, 5);
    assertStringIncludes(
      result.notes[0],
      "The estimate leaves out 5 of 12 months: 2023-01 (left out by",
    );
  });

  it("if hourly production has less than 98 % of their hours, or a standstill of three days", () => {
    const start = Date.parse("2022-12-31T23:00Z"); // January in Copenhagen
    const length = 365 * 24;
    const power = Array.from({ length }, (_, i): number | null => 500 + i % 300);
    power.fill(null, 31 * 24, 31 * 24 + 20); // 20 of 672 hours of February
    power.fill(0, 59 * 24 + 100, 59 * 24 + 172); // three days of March
    const time = BigInt64Array.from(power, (_, i) => BigInt(start + i * HOUR) * 1000n);
    const production = buildFrame(modelDataCsv, { time, power }, "UTC");
    const even = indexed("2023-01", NORMAL.map(() => 100));
    const result = estimateLongTerm(production, even, { details });
    assertEquals(reasons(result), [
      "2023-02: only 97.0 % of its hours have values",
      "2023-03: standstill: 72 h",
    ]);
    const [january] = result.frames.periods.getColumn("produced").toArray() as number[];
    const sum = power.slice(0, 744).reduce((total: number, value) => total + value!, 0);
    assertAlmostEquals(january, sum / 1000, 1e-9);
    assertEquals(result.frames.periods.getColumn("completeness").toArray().slice(0, 2), [
      1,
      652 / 672,
    ]);
  });

  it("and refuses those that it cannot read, or that the record does not have", () => {
    const error = assertThrows(() => halfYear({ leaveOut: ["2023-3"] }), ArgumentError);
    assertStringIncludes(error.message, '"2023-3" in leaveOut is neither a month nor a year');
    assertThrows(
      () => halfYear({ leaveOut: ["2023-02", "2032-02"] }),
      ArgumentError,
      "Cannot leave out 2032-02: the record covers only 2023-01 to 2023-06. In leaveOut, name only",
    );
  });

  it("but makes an estimate only from as many as its method needs", () => {
    const result = estimateLongTerm(
      produced("2023-01", ENERGY.slice(0, 5)),
      indexed("2023-01", INDEX),
    );
    assertEquals(methods(result), ["1200 method"]);
    assertStringIncludes(
      result.notes.join(" "),
      "There is no regression, because it needs 6 months and only 5 of 5 are usable.",
    );
    const error = assertThrows(() =>
      halfYear({ leaveOut: ["2023-01", "2023-02", "2023-03", "2023-04"] })
    );
    assertMatch(
      (error as Error).message,
      /There is no 1200 method, because it needs 3 months and only 2 of 6 are usable\..*2023-01 \(left out by the caller\)/,
    );
  });
});

describe("estimateLongTerm() of years", () => {
  const indices = indexed("2003-01", years(4));
  const annual = (energies: Readonly<Record<number, number>>) =>
    buildFrame(productionColumns.year, {
      year: Object.keys(energies).map(Number),
      energy: Object.values(energies),
    });

  it("sums the indices of their months, and finds years of outages", () => {
    const result = estimateLongTerm(
      annual({ 2003: 850, 2004: 590, 2005: 980, 2006: 1020 }),
      indices,
    );
    assertEquals(methods(result), ["1200 method"]);
    assertAlmostEquals(row(result, "1200 method").p50!, 1000, 1e-9);
    assertEquals(row(result, "1200 method").months, 24);
    assertEquals(row(result, "1200 method").left_out, 24);
    // The better half has a median of 1000.
    assertEquals(reasons(result), [
      "2003: outage: produced 85 % of the energy expected from its index and the other periods",
      "2004: outage: produced 59 % of the energy expected from its index and the other periods",
    ]);
    // Prior 3.5 % of 4 years and a deviation of 2 % twice: (4 x 12.25 + 8) / 5 = 11.4, of the mean of two 5.7, with 5;
    // and 2 % that more years do not reduce: 9.7, with 9.7^2 / (5.7^2 / 5) = 14.48 degrees of freedom, t(14) = 1.7613,
    // t(15) = 1.7531.
    const { p50, high } = row(result, "1200 method");
    assertAlmostEquals(Math.log(high! / p50!), 1.7572 * Math.sqrt(9.7e-4), 2e-5);
  });

  it("takes the interval of a single year from other sites", () => {
    const { p50, high, left_out } = row(
      estimateLongTerm(annual({ 2005: 980 }), indices),
      "1200 method",
    );
    assertAlmostEquals(p50!, 980, 1e-9);
    // 12.25 + 4 = 16.25, with 16.25^2 / (12.25^2 / 4) = 7.04 degrees of freedom: t(7) = 1.8946, t(8) = 1.8595.
    assertAlmostEquals(Math.log(high! / p50!), 1.8931 * Math.sqrt(16.25e-4), 2e-5);
    assertEquals(left_out, 0);
  });

  it("leaves out a year with a named month or a month without index", () => {
    const result = estimateLongTerm(
      annual({ 2003: 990, 2005: 980, 2007: 970 }),
      indices,
      { leaveOut: ["2003-05"] },
    );
    assertEquals(reasons(result), ["2003: left out by the caller", "2007: no index"]);
  });
});

const details: TurbineDetails = {
  turbine_id: "X1",
  name: "X",
  latitude: 55,
  longitude: 9,
  hub_height: 80,
  rated_power: 1000,
  rotor_diameter: 70,
  time_zone: "Europe/Copenhagen",
  training_start: null,
  training_end: null,
  data_ready: true,
  last_wind_index: null,
  power_curve: {
    power_control: "pcPitch",
    power: [{ wind_speed: 3, power: 0 }, { wind_speed: 13, power: 1000 }, {
      wind_speed: 25,
      power: 1000,
    }],
  },
};

describe("estimateLongTerm() by time-step calibration", () => {
  // 2022 and 2023 in Copenhagen, hour by hour, at the density of the curve. The curve gives (v - 3) x 100 kW.
  const start = Date.parse("2021-12-31T23:00Z");
  const length = 2 * 365 * 24;
  const speed = Float64Array.from(
    { length },
    (_, i) => 7 + 3 * Math.cos(2 * Math.PI * i / 8760) + 2.5 * Math.sin(i / 17) + Math.sin(i / 5),
  );
  const powerAt = (v: number) => v < 3 || v > 25 ? 0 : Math.min(1000, 100 * (v - 3));
  const powers = (k: number) => Float64Array.from(speed, (v) => powerAt(k * v));
  const hours = (values: Readonly<Record<string, Float64Array>>, from = 0, to = length) =>
    buildFrame(modelDataCsv, {
      time: BigInt64Array.from(
        { length: to - from },
        (_, i) => BigInt(start + (from + i) * HOUR) * 1000n,
      ),
      ...Object.fromEntries(
        Object.entries(values).map(([name, column]) => [name, column.slice(from, to)]),
      ),
    }, "Europe/Copenhagen");
  const model = hours({
    wind_speed: speed,
    air_density: new Float64Array(length).fill(1.225),
    power: powers(1),
  });
  const total = (k: number) => powers(k).reduce((sum, power) => sum + power, 0) / 2000; // MWh a year
  /** Months of the model and their share of its normal year. */
  const served = () => {
    const basePowers = powers(1);
    const position = (month: Temporal.PlainYearMonth) =>
      (month.toPlainDate({ day: 1 }).toZonedDateTime("Europe/Copenhagen").epochMilliseconds -
        start) /
      HOUR;
    const first = Temporal.PlainYearMonth.from("2022-01");
    const energies = Array.from({ length: 24 }, (_, i) => {
      const [from, to] = [first.add({ months: i }), first.add({ months: i + 1 })].map(position);
      return basePowers.slice(from, to).reduce((sum, power) => sum + power, 0) / 1000;
    });
    return indexed("2022-01", energies.map((energy) => 1200 * energy / total(1)))
      .withColumn(pl.Series("predicted_production", energies, pl.Float64));
  };

  it("finds the factor of the production, and its normal year", () => {
    const [from, to] = [2000, 6000];
    const production = hours({ power: powers(0.93) }, from, to);
    const result = estimateLongTerm(production, served(), { model, details });
    assertEquals(methods(result), ["1200 method", "time-step calibration"]);
    assertAlmostEquals(result.factor!, 0.93, 1e-6);
    const { p50, hours: compared, months } = row(result, "time-step calibration");
    assertAlmostEquals(p50! / total(0.93), 1, 1e-6);
    assertEquals(compared, to - from);
    assertEquals(months, 7); // March to September, with the parts of two
    assertEquals(result.frames.periods.getColumn("hours").sum(), to - from);
  });

  it("takes the hours of incomplete months, but not of months left out", () => {
    const power = powers(0.93);
    for (let i = 0; i < power.length; i += 10) power[i] = NaN;
    const production = hours({ power }, 0, 8760);
    const result = estimateLongTerm(production, served(), {
      model,
      details,
      leaveOut: ["2022-03"],
    });
    assertEquals(methods(result), ["time-step calibration"]);
    assertAlmostEquals(result.factor!, 0.93, 1e-6);
    assertEquals(result.frames.periods.getColumn("hours").get(2), 0);
    // Hours 1416 to 2158 of the year are March.
    const counted = Array.from({ length: 8760 }, (_, i) => i)
      .filter((i) => i % 10 !== 0 && !(i >= 1416 && i < 1416 + 743)).length;
    assertEquals(row(result, "time-step calibration").hours, counted);
    assertMatch(
      result.notes[0],
      /The estimate leaves out 12 of 12 months: .*2022-03 \(left out by the caller\)/,
    );
  });

  it("takes months and years too", () => {
    const months = served().select(
      "month",
      pl.col("predicted_production").mul(pl.lit(0.9)).alias("energy"),
    );
    const byMonths = estimateLongTerm(months, served(), { model, details });
    const year = buildFrame(productionColumns.year, { year: [2022], energy: [0.9 * total(1)] });
    const byYear = estimateLongTerm(year, served(), { model, details });
    for (const result of [byMonths, byYear]) {
      // 2022 and 2023 have nearly the same wind: nine tenths of a year are nine tenths of the normal one.
      assertAlmostEquals(row(result, "time-step calibration").p50! / (0.9 * total(1)), 1, 0.01);
      assertAlmostEquals(row(result, "1200 method").p50! / (0.9 * total(1)), 1, 0.01);
    }
  });

  it("is absent with the reason, never zero", () => {
    const production = hours({ power: powers(0.93) }, 0, 8760);
    const notes = (options: EstimateLongTermOptions) => {
      const result = estimateLongTerm(production, served(), options);
      assertEquals(methods(result), ["1200 method", "regression"]);
      assertEquals(result.factor, null);
      assertEquals(result.frames.periods.getColumn("hours").nullCount(), 12);
      return result.notes.find((note) => note.startsWith("There is no time-step calibration"))!;
    };
    assertStringIncludes(notes({}), "model data and turbine details are missing");
    assertStringIncludes(notes({ model }), "{ model, details }");
    assertStringIncludes(
      notes({ model: model.drop("air_density"), details }),
      "the model data lack wind speed or air density",
    );
    assertStringIncludes(
      notes({ model: model.head(5000), details }),
      "no whole calendar year",
    );
    const later = model.filter(pl.col("time").dt.year().eq(pl.lit(2023)));
    assertStringIncludes(notes({ model: later, details }), "is outside the climate record");
  });

  it("is scaled to the normal year of the index if the model data cover other years, and notes it", () => {
    const production = hours({ power: powers(0.93) }, 0, 8760);
    const other = served().withColumn(pl.col("month_index").mul(pl.lit(0.9)).alias("month_index"));
    const result = estimateLongTerm(production, other, { model, details });
    assertAlmostEquals(row(result, "time-step calibration").p50! / (total(0.93) / 0.9), 1, 1e-4);
    assertStringIncludes(
      result.notes.join(" "),
      "has 90.0 % of the energy of the index's normal year",
    );
  });
});

describe("estimateLongTerm() with bad input", () => {
  const indices = indexed("2023-01", NORMAL);
  const refused = (act: () => unknown) => assertThrows(act, ArgumentError).message;

  it("names missing columns and the existing ones", () => {
    assertEquals(
      refused(() => estimateLongTerm(indices, indices)),
      'Cannot estimate the long-term production: the production needs the columns "time" and "power" (kW), ' +
        'or "month" and "energy" (MWh), or "year" and "energy" (MWh), but has month, month_index. Read the production with readProduction()',
    );
    assertStringIncludes(
      refused(() => estimateLongTerm(produced("2023-01", ENERGY), produced("2023-01", ENERGY))),
      'the indices lack "month_index" (%). They have month, energy',
    );
    assertStringIncludes(
      refused(() => halfYear({ model: indices, details })),
      'the model data lack "time", "power" (kW)',
    );
  });

  it("refuses a wrong unit if the rated power is known", () => {
    const kilowattHours = produced("2023-01", ENERGY.map((energy) => 1000 * energy));
    const message = refused(() => estimateLongTerm(kilowattHours, indices, { details }));
    assertStringIncludes(message, "capacity factor");
    assertStringIncludes(message, "Check the unit");
  });

  it("S8: checks the unit by the prediction of the indices if the rated power is unknown", () => {
    const predicted = indexed("2023-01", INDEX).withColumn(
      pl.Series("predicted_production", INDEX.map((index) => 4 * index), pl.Float64),
    );
    const estimate = (factor: number) => () =>
      estimateLongTerm(produced("2023-01", ENERGY.map((energy) => factor * energy)), predicted);
    assertEquals(
      refused(estimate(1e-3)),
      "Cannot estimate the long-term production: the production is 0.00101 times the prediction for the same " +
        "time (2.62 instead of 2600 MWh), which is probably 1/1000 of the true value, such as MWh read as kWh, unless it was stopped all the " +
        'time. Column "energy" must be in MWh and for one turbine. Convert it, or divide the energy of a park by ' +
        "its number of turbines",
    );
    assertStringIncludes(refused(estimate(1000)), "probably 1000 times too much");
    assertStringIncludes(refused(estimate(12)), "probably the total of about 12 units");
    assertAlmostEquals(row(estimate(1)(), "1200 method").p50!, 4836.923, 1e-3);
    // 0.6 MW, written as kW, in all hours of the half year.
    const start = Date.UTC(2023, 0, 1);
    const hours = (Date.UTC(2023, 6, 1) - start) / HOUR;
    const megawatts = buildFrame(productionColumns.hour, {
      time: BigInt64Array.from({ length: hours }, (_, i) => BigInt(start + i * HOUR) * 1000n),
      power: Float64Array.from({ length: hours }, (_, i) => 0.55 + 0.001 * (i % 100)),
    });
    assertStringIncludes(
      refused(() => estimateLongTerm(megawatts, predicted)),
      'Column "power" must be in kW',
    );
  });

  it("refuses a record outside of the index, one without rows, and one with only outages", () => {
    assertStringIncludes(
      refused(() => estimateLongTerm(produced("2031-01", ENERGY), indices)),
      "the production covers 2031-01 to 2031-06, but the indices cover 2023-01 to 2023-12",
    );
    assertStringIncludes(
      refused(() => estimateLongTerm(produced("2023-01", ENERGY).head(0), indices)),
      "the production has no rows",
    );
    const still = refused(() => estimateLongTerm(produced("2023-01", [0, 0, 0, 0]), indices));
    assertStringIncludes(still, "it needs 3 months and only 0 of 4 are usable");
    assertStringIncludes(still, "2023-01 (standstill: no energy produced)");
  });

  it("refuses several turbines, and details of another one", () => {
    const two = indices.withColumn(pl.Series("turbine_id", NORMAL.map((_, i) => `T${i % 2}`)));
    const production = produced("2023-01", ENERGY);
    assertStringIncludes(refused(() => estimateLongTerm(production, two)), "several turbines");
    const one = indices.withColumn(pl.lit("T1").alias("turbine_id"));
    assertStringIncludes(
      refused(() => estimateLongTerm(production, one, { details })),
      "the indices are for T1, but the details are for X1",
    );
    assertStringIncludes(
      refused(() => estimateLongTerm(production, pl.concat([indices, indices.head(1)]))),
      "the indices repeat 2023-01",
    );
  });

  it("refuses unknown options", () => {
    assertStringIncludes(
      refused(() => halfYear({ interAnnualVariability: -1 })),
      "-1 % is not plausible",
    );
    assertStringIncludes(
      refused(() => halfYear({ interAnnualVariability: 0.06 })),
      "0.06 % is not plausible. Give 0, or a standard deviation from 1 to below 100 %, such as 6",
    );
    const { frames: { exceedance } } = halfYear({ interAnnualVariability: 0, referenceYears: 20 });
    assertEquals(exceedance.getColumn("p90").nUnique(), 1);
    assertStringIncludes(refused(() => halfYear({ draws: 10 })), "at least 100");
  });
});

describe("the result of estimateLongTerm()", () => {
  it("shows all of itself, and stays SYNTHETIC", () => {
    const indices = describeFrame(indexed("2023-01", INDEX), monthlyIndicesFrame, {
      operation: "wind_indices",
      parameters: { turbine_id: "T1" },
      fetchedAt: "2024-01-01T00:00:00Z",
      sha256: [],
      world: "sample",
      attribution: [],
    });
    const result = estimateLongTerm(produced("2023-01", ENERGY), indices);
    assertEquals(provenance(result.frames.estimates)[0]?.world, "sample");
    assertEquals(provenance(result.frames.periods)[0]?.world, "sample");
    const inspected = (result as unknown as Record<symbol, () => string>)[CUSTOM_INSPECT]();
    for (const text of ["SYNTHETIC", "Long-term production", "1200 method", ...result.summary]) {
      assertStringIncludes(inspected.replace(/\s+/g, " "), text);
    }
    assertEquals(Object.keys(result).sort(), [
      "factor",
      "findings",
      "frames",
      "method",
      "notes",
      "provenance",
      "summary",
    ]);
    const columns = (schema: readonly Column[]) => schema.map(({ name }) => name);
    assertEquals(result.frames.estimates.columns, columns(longTermColumns));
    assertEquals(result.frames.uncertainty.columns, columns(uncertaintyColumns));
    assertEquals(result.frames.exceedance.columns, columns(exceedanceColumns));
  });
});
