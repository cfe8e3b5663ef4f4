import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findChangePoint, findChangeSpan, measureStep } from "../../src/stats/change_point.ts";
import { drawNoise, estimateNoise, SeededRandom } from "../../src/stats/seeded_random.ts";
import { buildBasis, removeColumns, StepSearch } from "../../src/stats/step_search.ts";

const ones = (count: number) => new Float64Array(count).fill(1);
const white = { minSide: 4, persistence: { correlation: 0, lags: 0 }, maxChance: 0.05 };
const noiseOf = (seed: string, count: number) => {
  const random = new SeededRandom(seed);
  return Float64Array.from({ length: count }, () => random.normal());
};

describe("removeColumns()", () => {
  it("leaves the residuals of a weighted line, computed by hand", () => {
    // Weights 1, 1, 2: the mean of 1, 3, 4 is 3. Around it -2, 0, 1.
    const weights = Float64Array.of(1, 1, 2);
    const basis = buildBasis([ones(3)], weights);
    assertEquals([...removeColumns(Float64Array.of(1, 3, 4), weights, basis)], [-2, 0, 1]);
  });

  it("ignores a column that depends on the others", () => {
    const weights = ones(4);
    const line = Float64Array.of(1, 2, 3, 4);
    assertEquals(buildBasis([ones(4), line, line.map((x) => 2 * x + 1)], weights).length, 2);
  });
});

describe("StepSearch", () => {
  it("finds the step with the smallest squares, computed by hand", () => {
    const search = new StepSearch(ones(6), [], 2);
    // Squares around 5 without a step 6, around 4 and 6 with it 0.
    const step = search.findStep(Float64Array.of(4, 4, 4, 6, 6, 6));
    assertEquals(step.position, 3);
    assertAlmostEquals(step.size, 2, 1e-12);
    assertAlmostEquals(step.share, 1, 1e-12);
  });

  it("keeps the fewest values on each side", () => {
    const search = new StepSearch(ones(8), [], 3);
    assertEquals(search.findStep(Float64Array.of(9, 0, 0, 0, 0, 0, 0, 0)).position, 3);
    assertEquals(search.findStep(Float64Array.of(0, 0, 0, 0, 0, 0, 0, 9)).position, 5);
  });

  it("finds the same step whatever the columns contribute", () => {
    const noise = noiseOf("columns", 60);
    const wave = Float64Array.from(noise, (_, i) => Math.sin(i / 5));
    const values = noise.map((value, i) => value + (i >= 40 ? 3 : 0));
    const search = new StepSearch(ones(60), [wave], 4);
    const [plain, shifted] = [values, values.map((value, i) => value + 7 + 5 * wave[i])]
      .map((series) => search.findStep(series));
    assertEquals(plain.position, 40);
    assertEquals(shifted.position, 40);
    assertAlmostEquals(shifted.size, plain.size, 1e-9);
    assertAlmostEquals(search.computeSize(values, 40), plain.size, 1e-9);
  });
});

describe("estimateNoise()", () => {
  it("finds the share of errors that last, as they were drawn", () => {
    const random = new SeededRandom("noise");
    for (const share of [0, 0.3, 0.8]) {
      const drawn = drawNoise({ share, deviation: 2 }, 0.8, 20_000, random);
      const noise = estimateNoise(drawn, 1, { correlation: 0.8, lags: 4 });
      assertAlmostEquals(noise.share, share, 0.05);
      assertAlmostEquals(noise.deviation, 2, 0.1);
    }
  });
});

describe("findChangePoint()", () => {
  it("finds a step, its position and its size, with intervals that contain them", () => {
    const values = noiseOf("step", 100).map((value, i) => value + (i >= 60 ? -2 : 0));
    const { change } = findChangePoint({ values, weights: ones(100), columns: [] }, white);
    assert(change);
    assert(Math.abs(change.position - 60) <= 3);
    assert(change.range[0] <= 60 && 60 <= change.range[1]);
    assert(change.low <= -2 && -2 <= change.high && change.high < 0);
  });

  it("finds a change in five of a hundred series without one", () => {
    const alarms = Array.from(
      { length: 100 },
      (_, seed) =>
        findChangePoint(
          { values: noiseOf(`clean ${seed}`, 60), weights: ones(60), columns: [] },
          white,
        )
          .change,
    )
      .filter((change) => change !== undefined).length;
    // Of 100, 5 are expected; more than 11 occur by chance once in 200 times.
    assert(alarms <= 11, `${alarms}`);
  });

  it("finds nothing in a series without any errors, in which any change would show", () => {
    const series = { values: ones(40), weights: ones(40), columns: [] };
    const { change, smallest } = findChangePoint(series, white);
    assertEquals(change, undefined);
    assertAlmostEquals(smallest, 0, 1e-9);
  });

  it("needs a larger step if errors last", () => {
    const random = new SeededRandom("lasting");
    const values = drawNoise({ share: 0.7, deviation: 1 }, 0.8, 150, random);
    const series = { values, weights: ones(150), columns: [] };
    const persistence = { correlation: 0.8, lags: 4 };
    const { smallest } = findChangePoint(series, { ...white, persistence });
    assert(smallest > 1.5 * findChangePoint(series, white).smallest);
  });

  it("finds a change of the smallest size in the middle in four of five series", () => {
    const detected = Array.from({ length: 60 }, (_, seed) => {
      const values = noiseOf(`smallest ${seed}`, 80);
      const series = { weights: ones(80), columns: [] };
      const { smallest } = findChangePoint({ ...series, values }, white);
      const changed = values.map((value, i) => value + (i >= 40 ? smallest : 0));
      return findChangePoint({ ...series, values: changed }, white).change;
    }).filter((change) => change !== undefined).length;
    // Of 60, 48 are expected; fewer than 38 or more than 56 occur by chance once in 200 times.
    assert(detected >= 38 && detected <= 56, `${detected}`);
  });

  it("corrects the overestimate of changes that are found", () => {
    const size = 0.9;
    const changes = Array.from({ length: 120 }, (_, seed) => {
      const values = noiseOf(`overstated ${seed}`, 60).map((value, i) =>
        value + (i >= 30 ? size : 0)
      );
      const { change } = findChangePoint({ values, weights: ones(60), columns: [] }, white);
      return change && {
        raw: new StepSearch(ones(60), [], 4).findStep(values).size,
        corrected: change.size,
        hit: change.low <= size && size <= change.high,
      };
    }).filter((change) => change !== undefined);
    const mean = (of: (change: typeof changes[number]) => number) =>
      changes.reduce((sum, change) => sum + of(change), 0) / changes.length;
    assert(changes.length > 50);
    assert(mean(({ corrected }) => corrected) < mean(({ raw }) => raw));
    assert(mean(({ hit }) => Number(hit)) >= 0.8);
  });

  it("measures the size in other values if these are given", () => {
    const noise = noiseOf("measured", 80);
    const [values, level] = [-3, -1].map((size) =>
      noise.map((value, i) => value + (i >= 40 ? size : 0))
    );
    const weights = ones(80);
    const { change } = findChangePoint(
      { values, weights, columns: [], measured: { values: level, weights } },
      white,
    );
    assert(change && change.low <= -1 && -1 <= change.high && change.low > -3);
  });
});

describe("findChangeSpan()", () => {
  it("finds a span of other values, which is not a step", () => {
    const values = noiseOf("span", 100).map((value, i) => value + (i >= 35 && i < 65 ? -2.5 : 0));
    const series = { values, weights: ones(100), columns: [] };
    const [from, to] = findChangeSpan(series, { ...white, maxChance: 0.01 })!;
    assert(Math.abs(from - 35) <= 2 && Math.abs(to - 65) <= 2, `${from} to ${to}`);
  });

  it("finds none in series without a change", () => {
    for (let seed = 0; seed < 20; seed++) {
      const series = { values: noiseOf(`none ${seed}`, 60), weights: ones(60), columns: [] };
      assertEquals(findChangeSpan(series, { ...white, maxChance: 0.001 }), undefined);
    }
  });
});

describe("measureStep()", () => {
  const independent = { correlation: 0, lags: 0 };

  it("finds a step at a known position along with other explanations of the values", () => {
    const line = Float64Array.from({ length: 20 }, (_, i) => i);
    const values = line.map((x) => 3 + 0.5 * x + (x >= 12 ? 2 : 0));
    const series = { values, weights: ones(20), columns: [line] };
    assertAlmostEquals(measureStep(series, 12, independent).size, 2, 1e-9);
    assertAlmostEquals(measureStep(series, 12, independent).deviation, 0, 1e-9);
  });

  it("has the standard deviation of the difference of two means", () => {
    // 300 before, 100 after, of standard deviation 1: sqrt(1 / 300 + 1 / 100) = 0.11547.
    const series = { values: noiseOf("known step", 400), weights: ones(400), columns: [] };
    const { deviation } = measureStep(series, 300, independent);
    assertAlmostEquals(deviation, 0.11547, 0.01);
  });

  it("SC3: weighs values near the step more if the errors drift, and is then less certain", () => {
    // A drift that has no step in the middle, and much further away.
    const drift = Float64Array.from({ length: 400 }, (_, i) => ((i - 199.5) / 100) ** 3);
    const values = drift.map((value, i) => value + (i < 200 ? 0 : 1));
    const [all, near] = [Infinity, 30].map((reach) =>
      measureStep({ values, weights: ones(400), columns: [] }, 200, independent, reach).size
    );
    assert(all > 4 && near < 1.5, `${all}, ${near}`);
    const series = { values: noiseOf("known step", 400), weights: ones(400), columns: [] };
    const { deviation } = measureStep(series, 200, independent, 1000);
    // For two means of 200 errors, 0.1; for a random walk of a thousandth, sqrt(400 / 3) / 1000.
    assertAlmostEquals(deviation, Math.hypot(0.1, Math.sqrt(400 / 3) / 1000), 0.008);
  });

  it("is less certain if errors last from value to value", () => {
    const random = new SeededRandom("lasting");
    const persistence = { correlation: 0.9, lags: 10 };
    const values = drawNoise({ share: 1, deviation: 1 }, 0.9, 400, random);
    const series = { values, weights: ones(400), columns: [] };
    const [lasting, free] = [persistence, independent].map((duration) =>
      measureStep(series, 200, duration).deviation
    );
    // The variance of a mean of such errors is (1 + 0.9) / (1 - 0.9) times that of independent ones.
    assert(lasting / free > 2.5 && lasting / free < Math.sqrt(19), `${lasting / free}`);
  });
});
