import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { PowerCurvePoint, TurbineDetails } from "../../../src/api/resources/resources.ts";
import { whatIf, type WhatIfChanges } from "../../../src/analysis/what_if/what_if.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { buildFrame, extractNumbers } from "../../../src/frames/frame.ts";
import { parametricPowerCurve } from "../../../src/sites/power_curves/parametric_power_curve.ts";
import { defineSite } from "../../../src/sites/declaration/define_site.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { locationIndex } from "../../../src/sites/location_index.ts";
import { withService } from "../../../src/testing/mod.ts";
import { HOUR } from "../../../src/time/hourly.ts";

const LENGTH = 2 * 365 * 24;
const START = Date.UTC(2022, 0, 1);
const micros = BigInt64Array.from({ length: LENGTH }, (_, i) => BigInt(START + i * HOUR) * 1000n);

/** 8 m/s in 2022 and 10 m/s in 2023, at 1.225 kg/m3: 800 and 1000 kW, 900 kW in a normal year. */
const model = buildFrame(modelDataCsv, {
  time: micros,
  wind_speed: Float64Array.from({ length: LENGTH }, (_, i) => i < LENGTH / 2 ? 8 : 10),
  air_density: new Float64Array(LENGTH).fill(1.225),
  power: Float64Array.from({ length: LENGTH }, (_, i) => i < LENGTH / 2 ? 800 : 1000),
}, "UTC");

/**
 * Power is 100 kW per m/s, by stall: it is proportional to wind and density, and a spread of wind does not change its
 * mean.
 */
const details = {
  turbine_id: "A",
  name: "A",
  hub_height: 80,
  rated_power: 2000,
  time_zone: "UTC",
  power_curve: {
    power_control: "pcStall",
    power: [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 2000 }],
  },
} as unknown as TurbineDetails;

const calibration = { k: 0.9, scaling: "factor", reanalyses: [{ weight: 1 }] };
const report = { calibration } as unknown as Parameters<typeof whatIf>[0]["report"];

const ask = (changes: WhatIfChanges) => whatIf({ details, model, report }, changes);
const ratioOf = (changes: WhatIfChanges) => {
  const { energy } = ask(changes);
  return energy.whatIf / energy.now;
};
const valueIn = (frame: DataFrame, name: string, row: number) => extractNumbers(frame, name)[row];

/** Wind at two heights; the upper one is `ratio` times the lower one. */
const windAt = (ratio: number, height: number) =>
  pl.DataFrame([
    model.getColumn("time"),
    pl.Series("wind_speed_10", new Array(LENGTH).fill(6), pl.Float64),
    pl.Series(`wind_speed_${height}`, new Array(LENGTH).fill(6 * ratio), pl.Float64),
  ]);

/** By hand: 40 m of air at 15 degC, exp(-9.80665 x 40 / (287.05 x 288.15)). */
const AIR = 0.995269;

describe("whatIf()", () => {
  it("gives the energy of a normal year by hand: 900 kW are 7,884 MWh", () => {
    assertAlmostEquals(ask({}).energy.now, 7884, 1e-6);
  });

  it("raises the wind by the declared exponent: (120/80)^0.2 = 1.08447, in thinner air", () => {
    assertAlmostEquals(ratioOf({ hubHeight: 120, shear: 0.2 }), 1.08447 * AIR, 2e-5);
  });

  it("takes the exponent of the hours from wind at two heights: twice from 10 to 160 m is 1/4", () => {
    const shear = windAt(2, 160);
    assertAlmostEquals(ratioOf({ hubHeight: 120, shear }), 1.5 ** 0.25 * AIR, 1e-5);
    assertMatch(
      ask({ hubHeight: 120, shear }).notes.join(" "),
      /exponent 0\.250, the mean over the hours of the climate data\./,
    );
  });

  it("scales the hours to another mean density: 1.1 / 1.225", () => {
    assertAlmostEquals(ratioOf({ density: 1.1 }), 1.1 / 1.225, 1e-9);
  });

  it("scales the wind to another k: 0.99 instead of 0.9", () => {
    assertAlmostEquals(ratioOf({ k: 0.99 }), 1.1, 1e-9);
  });

  it("takes another power curve, whose largest power is the rated one", () => {
    const powerCurve = [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 4000 }];
    assertAlmostEquals(ratioOf({ powerCurve }), 2, 1e-9);
    assertStringIncludes(ask({ powerCurve }).summary[0], "powerCurve of 4000 kW");
  });

  it("refers indices to another reference period: 2023 is 125 % of 2022", () => {
    const { frames: { now, what_if } } = ask({ referencePeriod: [2022, 2022] });
    assertAlmostEquals(valueIn(now, "last_full_year_index", 23), 100 / 0.9, 1e-9);
    assertAlmostEquals(valueIn(what_if, "last_full_year_index", 23), 125, 1e-9);
    assertEquals(
      extractNumbers(now, "predicted_production"),
      extractNumbers(what_if, "predicted_production"),
    );
  });

  it("changes nothing without changes, or with today's values: to 1e-9", () => {
    const unchanged: WhatIfChanges[] = [
      {},
      { hubHeight: 80, shear: 0.2 },
      { density: 1.225 },
      { k: 0.9 },
      { referencePeriod: [2022, 2023] },
      { powerCurve: details.power_curve!.power },
    ];
    for (const changes of unchanged) {
      const { frames: { now, what_if } } = ask(changes);
      for (const name of now.columns.slice(1)) {
        const [one, other] = [now, what_if].map((frame) => extractNumbers(frame, name));
        one.forEach((value, i) => {
          if (Number.isNaN(value)) assert(Number.isNaN(other[i]));
          else assertAlmostEquals(other[i], value, 1e-9 * value, JSON.stringify(changes));
        });
      }
    }
  });

  it("takes the reference period of a report, and notes if it is assumed", () => {
    const reference_period = { first_year: 2022, last_year: 2022 };
    const known = whatIf({ details, model, report: { reference_period } as typeof report }, {});
    assertAlmostEquals(known.energy.now, 7008, 1e-6);
    assert(!known.notes.some((note) => note.includes("Vindkit assumes")));
    assertMatch(ask({}).notes.join(" "), /Vindkit assumes 2022 to 2023\./);
  });

  it("SI2 refuses a power curve in another unit, and takes it converted as the message says", () => {
    const curve = [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 4000 }];
    const scaled = (factor: number, speed = 1) =>
      curve.map((point) => ({ wind_speed: point.wind_speed * speed, power: point.power * factor }));
    const cases: [readonly PowerCurvePoint[], string][] = [
      [scaled(0.0005), "so the powers are probably in MW. Multiply them by 1000"],
      [
        scaled(0.00025),
        "so the powers are probably in shares of the rated power. Multiply them by 2000",
      ],
      [scaled(1000), "its largest power is 4000000 kW, but today's turbine has 2000 kW"],
      [scaled(1, 3.6), "it has half of its largest power only at 36 m/s"],
    ];
    for (const [powerCurve, reason] of cases) {
      const { message } = assertThrows(() => ask({ powerCurve }), ArgumentError);
      assertStringIncludes(message, reason);
    }
    const multiplied = scaled(0.0005).map((point) => ({ ...point, power: 1000 * point.power }));
    assertAlmostEquals(ratioOf({ powerCurve: multiplied }), 1, 1e-9);
  });

  it("refuses impossible changes, with the reason", () => {
    const sector = {
      calibration: { ...calibration, scaling: "sector" },
    } as unknown as typeof report;
    const short = details.power_curve!.power.map(({ power }) => [power]);
    const cases: [changes: unknown, found: string, of?: typeof report][] = [
      [{ hub_height: 120 }, 'Did you mean "hubHeight"?'],
      [{ hubHeight: 120 }, "shear, which hubHeight needs as a frame or an exponent, is nothing"],
      [{ hubHeight: "120", shear: 0.2 }, 'hubHeight is "120"'],
      [
        { hubHeight: 120, shear: model },
        "shear has wind speeds at 0 heights. Give wind speeds at two",
      ],
      [{ shear: 0.2 }, "shear has no effect without hubHeight"],
      [{ powerCurve: short }, "powerCurve has a fault: point 1 does not have two finite numbers"],
      [{ powerCurve: 7 }, "powerCurve has a fault: it needs at least 2 points, but has 1"],
      [{ k: 0.95 }, "Its scaling is none", {}],
      [{ k: 0.95 }, "Its scaling is sector", sector],
      [{ k: 3 }, "k is 3. Give 0.5 to 1.5"],
      [{ density: 12 }, "density is 12. Give 0.7 to 1.5"],
      [{ referencePeriod: 2022 }, "it must be two whole years, the earlier one first"],
      [{ referencePeriod: [1990, 1991] }, "twelve complete months of 1990, 1991"],
    ];
    for (const [changes, message, ownReport = report] of cases) {
      const error = assertThrows(
        () => whatIf({ details, model, report: ownReport }, changes as WhatIfChanges),
        ArgumentError,
      );
      assertStringIncludes(error.message, message);
    }
    const bare = { ...details, hub_height: null } as TurbineDetails;
    assertThrows(
      () => whatIf({ details: bare, model }, { hubHeight: 120, shear: 0.2 }),
      ArgumentError,
      "a changed hubHeight needs today's hub height, but the details do not have it",
    );
  });
});

describe("whatIf() on a service's data", () => {
  const place = { latitude: 55.5, longitude: 8 };
  const turbine = {
    ...place,
    elevation: 0,
    hub_height: 80,
    rotor_diameter: 92,
    rated_power: 2300,
    time_zone: "Europe/Copenhagen",
    power_curve: parametricPowerCurve({ ratedPower: 2300, rotorDiameter: 92 }),
  };

  it("starts from the service's figures, and agrees with the engine at another height", async () => {
    const data = await Deno.makeTempDir();
    const frame = await downloadClimate("era5", { ...place, from: 2020, to: 2023 });
    const climate = [{ frame, ...place, stamp: "instant" }] as const;
    const named = { ...turbine, id: "H", name: "H", power_control: "pcPitch" } as const;
    await importSite(
      defineSite({ site: "hill", climate, turbines: [{ ...named, location_index: true }] }),
      { data },
    );
    const [ownDetails, model, served] = await withServed(data);
    const { frames: { now, what_if } } = whatIf({ details: ownDetails, model }, {
      hubHeight: 120,
      shear: frame,
    });
    const truth = await locationIndex({ ...turbine, hub_height: 120 }, { climate });
    for (const name of ["month_abnormality_index", "last12_month_index", "predicted_production"]) {
      const [today, known, other, engine] = [now, served, what_if, truth]
        .map((one) => extractNumbers(one, name).filter((value) => !Number.isNaN(value)));
      assertEquals([known.length, engine.length], [today.length, other.length]);
      today.forEach((value, i) => assertAlmostEquals(value, known[i], 1e-6 * value));
      other.forEach((value, i) => assertAlmostEquals(value, engine[i], 5e-4 * value));
    }
    await Deno.remove(data, { recursive: true });
  });
});

/** Details, model data and indices of the turbine of a data directory. */
async function withServed(data: string) {
  let all: [TurbineDetails, DataFrame, DataFrame];
  await withService(async ({ connection }) => {
    all = [
      await turbineDetails("H", { connection }),
      await modelData("H", { connection }),
      await monthlyIndices("H", { connection }),
    ];
  }, { data });
  return all!;
}
