import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeHourMeans } from "../../../src/screening/values/hourly_power.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import {
  computeMonthLags,
  findShift,
  type ShiftMonth,
} from "../../../src/screening/shift/shift.ts";
import { places } from "../_series.ts";

const PER_HOUR = 6;
const HOURS = 6 * 730;
const LENGTH = PER_HOUR * HOURS;
const seed = 1;

const months: ShiftMonth[] = Array.from({ length: 6 }, (_, i) => ({
  label: `2018-0${i + 1}`,
  from: 730 * PER_HOUR * i,
  to: 730 * PER_HOUR * (i + 1),
}));

/** Ten-minute power that drifts like wind power, with margins for the shifts. */
function weather(name: string): Float64Array {
  const random = new SeededRandom(name);
  let drift = 0;
  return Float64Array.from({ length: LENGTH + 200 }, () => {
    drift = 0.99 * drift + 0.4 * random.normal();
    return Math.min(2000, Math.max(0, 700 + 250 * drift));
  });
}

/** The model has the means of whole hours, and no values in between. */
function buildModel(truth: Float64Array): Float64Array {
  const means = computeHourMeans(truth, PER_HOUR);
  return Float64Array.from(
    { length: LENGTH },
    (_, i) => i % PER_HOUR === 0 ? means[i + 100] : NaN,
  );
}

/** Records of a turbine with turbulence, some minutes late. */
function writtenDown(truth: Float64Array, late: number, name: string): Float64Array {
  const random = new SeededRandom(name);
  const steps = late / 10;
  const power = Float64Array.from(
    { length: LENGTH },
    (_, i) => truth[i + 100 - steps] + 120 * random.normal(),
  );
  return computeHourMeans(power, PER_HOUR);
}

const options = { seed, perHour: PER_HOUR };

describe("findShift() in 10-minute values", () => {
  it("finds half hours, whole hours and both, either way, in any weather", () => {
    for (const name of ["a", "b", "c"]) {
      const truth = weather(name);
      const model = buildModel(truth);
      for (const late of [-90, -60, -30, 30, 60, 90, 150]) {
        const findings = findShift(
          writtenDown(truth, late, `${name}${late}`),
          model,
          months,
          options,
        );
        assertEquals(places(findings), [["shift", 0, LENGTH]], `${late} min in weather ${name}`);
        const side = late > 0 ? "later" : "earlier";
        assertStringIncludes(
          findings[0].message,
          `production comes ${Math.abs(late) / 60} h ${side} than the model`,
        );
        const lag = Number(/lag of (-?[\d.]+) h/.exec(findings[0].message)![1]);
        assertAlmostEquals(lag, late / 60, 0.06);
      }
    }
  });

  it("finds nothing in values that are in step, or ten minutes off, which is its limit", () => {
    for (const name of ["d", "e", "f"]) {
      const truth = weather(name);
      for (const late of [-10, 0, 10]) {
        const produced = writtenDown(truth, late, `${name}${late}`);
        assertEquals(findShift(produced, buildModel(truth), months, options), [], `${late} min`);
      }
    }
  });

  it("finds nothing in weather that has nothing to do with the model", () => {
    const produced = writtenDown(weather("g"), 0, "g");
    assertEquals(findShift(produced, buildModel(weather("h")), months, options), []);
  });

  it("finds the half hour also in values of 5, 15 and 30 minutes", () => {
    const truth = weather("i");
    for (const [perHour, group] of [[12, 1], [4, 3], [2, 6]] as const) {
      // Values of 5 minutes, of which 15 and 30 minutes are whole multiples.
      const fine = Float64Array.from(
        { length: LENGTH / 6 * perHour },
        (_, i) => truth.subarray(i * group, (i + 1) * group).reduce((a, b) => a + b, 0) / group,
      );
      const means = computeHourMeans(fine, perHour);
      const model = means.map((mean, i) => i % perHour === 0 ? mean : NaN);
      const late = means.map((_, i) => means[i - perHour / 2] ?? NaN);
      const scaledMonths = months.map(({ label, from, to }) => ({
        label,
        from: from / 6 * perHour,
        to: to / 6 * perHour,
      }));
      const [{ message }] = findShift(late, model, scaledMonths, { seed, perHour });
      assertStringIncludes(message, "production comes 0.5 h later than the model");
      assertEquals(findShift(means, model, scaledMonths, { seed, perHour }), []);
    }
  });

  it("works with missing values, and judges months with ten days of hours", () => {
    const truth = weather("j");
    const holed = writtenDown(truth, 30, "j").map((mean, i) => i % 50 < 12 ? NaN : mean);
    holed.fill(NaN, 0, months[1].from);
    const [{ message, from }] = findShift(holed, buildModel(truth), months, options);
    assertEquals(from, months[1].from);
    assertStringIncludes(message, "0.5 h later");
    assertStringIncludes(message, "in 5 of 5 months");
  });
});

describe("computeMonthLags() in 10-minute values", () => {
  it("gives lags in hours, within their intervals", () => {
    const truth = weather("k");
    const lags = computeMonthLags(writtenDown(truth, 20, "k"), buildModel(truth), months, options);
    assertEquals(lags.length, 6);
    for (const { lag, low, high } of lags) {
      assertAlmostEquals(lag, 1 / 3, 0.1);
      assert(low <= lag && lag <= high, `${low} ${lag} ${high}`);
    }
  });
});

describe("computeHourMeans()", () => {
  it("averages the hour that starts at each position, except with a part missing", () => {
    const means = computeHourMeans(Float64Array.of(1, 2, 3, 4, NaN, 6, 7), 2);
    assertEquals([...means], [1.5, 2.5, 3.5, NaN, NaN, 6.5, NaN]);
  });
});
