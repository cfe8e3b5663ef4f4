import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import {
  buildTrainingBasis,
  cutToBasis,
  selectFitted,
} from "../../../src/sites/calibration/training_basis.ts";
import type { TrainingBasis } from "../../../src/sites/keep/site_record.ts";
import type {
  HourlyProduction,
  PeriodProduction,
} from "../../../src/windindex/calibration/production.ts";
import type { TrainingInput } from "../../../src/windindex/calibration/training.ts";

const START = Date.UTC(2023, 0, 1);

/** Builds hours from a position on, each with a different power. */
function hours(
  from: number,
  to: number,
  change: (power: Float64Array, masked: Uint8Array) => void = () => {},
): TrainingInput & { production: HourlyProduction } {
  const power = Float64Array.from({ length: to - from }, (_, i) => from + i + 0.1);
  const masked = new Uint8Array(power.length);
  change(power, masked);
  const axis = { start: START + from * HOUR, length: power.length };
  return { production: { kind: "hourly", axis, power }, masked };
}

/** Builds months of 2022 and 2023 with an energy each. */
function months(
  energies: Readonly<Record<string, number>>,
  masked: readonly string[] = [],
): TrainingInput & { production: PeriodProduction } {
  const labels = Object.keys(energies);
  return {
    production: {
      kind: "periods",
      periods: labels.map((label) => ({
        label,
        energy: energies[label],
        start: Date.parse(`${label}-01T00:00Z`),
        end: Date.parse(`${label}-28T00:00Z`),
      })),
    },
    masked: Uint8Array.from(labels, (label) => masked.includes(label) ? 1 : 0),
  };
}

/** Builds a basis as stored, converted to text and back. */
function kept(inputs: readonly TrainingInput[]): TrainingBasis {
  return JSON.parse(JSON.stringify(buildTrainingBasis("declared", inputs)));
}

const partOf = (basis: TrainingBasis, inputs: readonly TrainingInput[]) =>
  selectFitted(basis, inputs);

/** Lists the fitted hours: positions and values, masked hours as NaN. */
function fittedHours(part: readonly TrainingInput[] | null): [number, number][] {
  return (part ?? []).flatMap(({ production, masked }) =>
    production.kind !== "hourly" ? [] : [...production.power].map((value, i): [number, number] => [
      (production.axis.start - START) / HOUR + i,
      masked?.[i] === 1 ? NaN : value,
    ])
  );
}

function fittedMonths(part: readonly TrainingInput[] | null): [string, number, boolean][] {
  return (part ?? []).flatMap(({ production, masked }) =>
    production.kind !== "periods"
      ? []
      : production.periods.map(({ label, energy }, i): [string, number, boolean] => [
        label,
        energy,
        masked?.[i] === 1,
      ])
  );
}

describe("fittedPart() of hours", () => {
  it("is all hours if nothing changed", () => {
    const basis = kept([hours(0, 100)]);
    assertEquals(fittedHours(partOf(basis, [hours(0, 100)])), fittedHours([hours(0, 100)]));
  });

  it("is the fitted stretch, cut from a longer one", () => {
    const basis = kept([hours(10, 100)]);
    const part = partOf(basis, [hours(0, 200)]);
    assertEquals(fittedHours(part), fittedHours([hours(10, 100)]));
    assertEquals(part!.length, 1);
  });

  it("includes masks, cut like the hours", () => {
    const mask = (at: number, from: number) =>
      hours(from, 120, (_, masked) => masked.fill(1, at - from, at - from + 5));
    const basis = kept([hours(10, 100, (_, masked) => masked.fill(1, 20, 25))]);
    const part = partOf(basis, [mask(30, 0)]);
    assertEquals(fittedHours(part).length, 90);
    assertEquals(
      fittedHours(part).filter(([, value]) => Number.isNaN(value)).map(([at]) => at),
      [30, 31, 32, 33, 34],
    );
    assertEquals(partOf(basis, [mask(31, 0)]), null);
  });

  it("is found in any input", () => {
    const basis = kept([hours(50, 100)]);
    const inputs = [hours(0, 40), hours(40, 120)];
    assertEquals(fittedHours(partOf(basis, inputs)), fittedHours([hours(50, 100)]));
  });

  it("is several stretches if several were fitted, even after they are joined", () => {
    const basis = kept([hours(0, 40), hours(60, 100)]);
    const joined = hours(0, 100, (power) => power.fill(NaN, 40, 60));
    const expected = [...fittedHours([hours(0, 40)]), ...fittedHours([hours(60, 100)])];
    assertEquals(fittedHours(partOf(basis, [joined])), expected);
    assertEquals(fittedHours(partOf(basis, [hours(60, 100), hours(0, 40)])), expected);
  });

  for (
    const [label, inputs] of Object.entries({
      "a value is another": [hours(0, 100, (power) => power[99] += 1e-9)],
      "a value is gone": [hours(0, 100, (power) => power[50] = NaN)],
      "its first hour is gone": [hours(1, 100)],
      "its last hour is gone": [hours(0, 99)],
      "it is in two inputs": [hours(0, 50), hours(50, 100)],
      "nothing is left": [],
      "another hour is masked": [hours(0, 100, (_, masked) => masked[3] = 1)],
      "there are months only": [months({ "2023-01": 1 })],
    })
  ) {
    it(`is null if ${label}`, () => {
      assertEquals(partOf(kept([hours(0, 100)]), inputs), null);
    });
  }

  it("is null if a masked or missing hour counts now", () => {
    const masked = kept([hours(0, 100, (_, masked) => masked[3] = 1)]);
    assertEquals(partOf(masked, [hours(0, 100)]), null);
    const missing = kept([hours(0, 100, (power) => power[3] = NaN)]);
    assertEquals(partOf(missing, [hours(0, 100)]), null);
  });

  it("is null for hours of another clock", () => {
    const basis = kept([hours(0, 100)]);
    const input = hours(0, 200);
    const { production } = input;
    const axis = { ...production.axis, start: production.axis.start - HOUR / 2 };
    assertEquals(partOf(basis, [{ ...input, production: { ...production, axis } }]), null);
  });

  it("ignores masked values, which were not fitted", () => {
    const basis = kept([hours(0, 100, (_, masked) => masked[3] = 1)]);
    for (const value of [-999, NaN, -0, Infinity]) {
      const input = hours(0, 100, (power, masked) => {
        power[3] = value;
        masked[3] = 1;
      });
      assert(partOf(basis, [input]) !== null, String(value));
    }
  });

  it("treats a missing hour like a masked one, and keeps inputs without a mask unchanged", () => {
    const basis = kept([hours(0, 100, (power) => power[3] = NaN)]);
    assert(partOf(basis, [hours(0, 100, (_, masked) => masked[3] = 1)]) !== null);
    const { production } = hours(0, 100, (power) => power[3] = NaN);
    assert(partOf(basis, [{ production }]) !== null);
    assertEquals(kept([{ production }]), basis);
  });

  it("treats every NaN as the same missing value", () => {
    const basis = kept([hours(0, 100, (power) => power[3] = NaN)]);
    const input = hours(0, 100, (power) => {
      // The NaN of 0 / 0 on x86 differs from JavaScript's NaN in a bit.
      new Uint32Array(power.buffer).set([0, 0xfff80000], 6);
    });
    assert(Number.isNaN(input.production.power[3]));
    assert(partOf(basis, [input]) !== null);
    assertEquals(kept([input]), basis);
  });

  it("treats -0 as 0, the same power", () => {
    const basis = kept([hours(0, 100, (power) => power[3] = 0)]);
    const input = hours(0, 100, (power) => power[3] = -0);
    assert(partOf(basis, [input]) !== null);
    assertEquals(kept([input]), basis);
  });

  it("does not change its arguments", () => {
    const spoil = (power: Float64Array, masked: Uint8Array) => {
      power[3] = -0;
      masked[3] = 1;
    };
    const [input, untouched] = [hours(0, 100, spoil), hours(0, 100, spoil)];
    partOf(kept([input]), [input]);
    assertEquals(input, untouched);
  });
});

describe("fittedPart() of months and years", () => {
  const energies = { "2022-11": 10, "2022-12": 20, "2023-01": 0.1 + 0.2 };

  it("is the fitted periods, without later or earlier ones", () => {
    const basis = kept([months(energies, ["2022-12"])]);
    const grown = months({ "2022-10": 5, ...energies, "2023-02": 40 }, ["2022-12", "2023-02"]);
    assertEquals(fittedMonths(partOf(basis, [grown])), [
      ["2022-11", 10, false],
      ["2022-12", 20, true],
      ["2023-01", 0.1 + 0.2, false],
    ]);
  });

  it("is found in several inputs, in any order", () => {
    const basis = kept([months(energies)]);
    const split = [
      months({ "2023-01": 0.1 + 0.2, "2023-02": 1 }),
      months({ "2022-11": 10, "2022-12": 20 }),
    ];
    assertEquals(
      fittedMonths(partOf(basis, split)).map(([label]) => label).sort(),
      Object.keys(energies),
    );
  });

  for (
    const [label, input] of Object.entries({
      "an energy is another": months({ ...energies, "2022-12": 20.000001 }),
      "an energy is gone": months({ ...energies, "2022-12": NaN }),
      "a period is gone": months({ "2022-11": 10, "2023-01": 0.1 + 0.2 }),
      "a period is masked": months(energies, ["2022-11"]),
      "there are hours only": hours(0, 100),
    })
  ) {
    it(`is null if ${label}`, () => {
      assertEquals(partOf(kept([months(energies)]), [input]), null);
    });
  }

  it("is null if a masked or missing period counts now", () => {
    assertEquals(partOf(kept([months(energies, ["2022-11"])]), [months(energies)]), null);
    const missing = kept([months({ ...energies, "2022-11": NaN })]);
    assertEquals(partOf(missing, [months(energies)]), null);
    assert(partOf(missing, [months(energies, ["2022-11"])]) !== null, "masked is missing, too");
  });

  it("S5: is null if the share of the hours changed, but not if it is declared as 1", () => {
    const withShare = (share: number) => {
      const input = months(energies);
      const periods = input.production.periods.map((period, i) =>
        i === 1 ? { ...period, share } : period
      );
      return { ...input, production: { ...input.production, periods } };
    };
    assertEquals(partOf(kept([months(energies)]), [withShare(0.7)]), null);
    assertEquals(partOf(kept([withShare(0.7)]), [withShare(0.8)]), null);
    assertEquals(partOf(kept([withShare(0.7)]), [months(energies)]), null);
    assert(partOf(kept([months(energies)]), [withShare(1)]) !== null);
    const [{ production }] = partOf(kept([withShare(0.7)]), [withShare(0.7)])!;
    assertEquals((production as PeriodProduction).periods[1].share, 0.7);
  });

  it("treats -0 as 0, and all missing energies as the same", () => {
    const basis = kept([months({ ...energies, "2022-11": 0, "2022-12": NaN })]);
    assert(partOf(basis, [months({ ...energies, "2022-11": -0, "2022-12": NaN })]) !== null);
  });
});

describe("fittedPart() of hours and months together", () => {
  const inputs = [months({ "2022-11": 10, "2022-12": 20 }), hours(0, 100)];

  it("is both, as fitted", () => {
    const grown = [
      months({ "2022-11": 10, "2022-12": 20, "2024-01": 1 }),
      hours(0, 400),
    ];
    const part = partOf(kept(inputs), grown);
    assertEquals(fittedHours(part), fittedHours([hours(0, 100)]));
    assertEquals(fittedMonths(part).map(([label]) => label), ["2022-11", "2022-12"]);
  });

  it("is null if one of them changed", () => {
    const [monthInput, series] = inputs;
    const basis = kept(inputs);
    assertEquals(partOf(basis, [months({ "2022-11": 11, "2022-12": 20 }), series]), null);
    assertEquals(partOf(basis, [monthInput, hours(0, 100, (power) => power[0] = 7)]), null);
    assertEquals(partOf(basis, [monthInput]), null);
    assertEquals(partOf(basis, [series]), null);
  });

  it("leaves out months added to hours, and hours added to months", () => {
    const [monthInput, series] = inputs;
    const hourly = partOf(kept([series]), inputs);
    assertEquals([fittedHours(hourly).length, fittedMonths(hourly)], [100, []]);
    const monthly = partOf(kept([monthInput]), inputs);
    assertEquals([fittedHours(monthly), fittedMonths(monthly).length], [[], 2]);
  });
});

describe("cutToBasis()", () => {
  const cut = (basis: TrainingBasis, inputs: readonly TrainingInput[]) =>
    cutToBasis(basis, inputs.map(({ production }) => production))
      .map((production): TrainingInput => ({ production }));

  it("cuts hours to the fitted stretches", () => {
    const basis = kept([hours(10, 40), hours(60, 100)]);
    const part = cut(basis, [hours(0, 200)]);
    assertEquals(fittedHours(part), [
      ...fittedHours([hours(10, 40)]),
      ...fittedHours([hours(60, 100)]),
    ]);
    assertEquals(part.length, 2);
  });

  it("leaves out incomplete stretches, and hours of another clock", () => {
    const basis = kept([hours(10, 40), hours(60, 100)]);
    assertEquals(fittedHours(cut(basis, [hours(11, 100)])), fittedHours([hours(60, 100)]));
    assertEquals(cut(basis, [hours(45, 99)]), []);
    const input = hours(0, 200);
    const axis = { ...input.production.axis, start: START - HOUR / 2 };
    assertEquals(cut(basis, [{ production: { ...input.production, axis } }]), []);
  });

  it("keeps the fitted periods, whatever their present values", () => {
    const basis = kept([months({ "2022-11": 10, "2022-12": NaN })]);
    const now = months({ "2022-10": 5, "2022-11": 11, "2022-12": 20, "2023-01": 30 });
    assertEquals(fittedMonths(cut(basis, [now])), [["2022-11", 11, false], ["2022-12", 20, false]]);
    assertEquals(cut(basis, [months({ "2023-01": 30 })]), []);
  });

  it("is empty for the basis of an older program", () => {
    const migrated: TrainingBasis = { declaration: "", engine: "2", hours: [], periods: [] };
    assertEquals(cut(migrated, [hours(0, 100), months({ "2023-01": 1 })]), []);
  });
});

describe("buildTrainingBasis()", () => {
  it("is the same for the same production, and contains no value of it", () => {
    const inputs = [months({ "2022-11": NaN }), hours(0, 100)];
    const basis = kept(inputs);
    assertEquals(basis, kept(inputs));
    assertEquals(basis.hours.map(({ start, length }) => [start, length]), [[START, 100]]);
    assertEquals(basis.periods, [{ label: "2022-11", energy: null }]);
    assertEquals(basis.declaration, "declared");
  });
});
