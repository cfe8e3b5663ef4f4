import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeTurbine } from "../../../src/sites/calibration/compute_turbine.ts";
import type { Reanalysis } from "../../../src/sites/site_data.ts";
import { buildGridSite, buildReanalysis, changeTurbine } from "../_grid_site.ts";

const first = { calibration: null, nextRevision: 1, recalibrate: false };

/** Builds a reanalysis with a wind error that differs from month to month. */
function buildWrong(name: string, errorOf: (month: number) => number): Reanalysis {
  const reanalysis = buildReanalysis(name);
  const scale = (values: Float64Array) =>
    values.map((value, i) => (1 + errorOf(Math.floor(i / 730))) * value);
  const climate = reanalysis.climate.map((point) => ({
    ...point,
    levels: point.levels.map(({ height, u, v }) => ({ height, u: scale(u), v: scale(v) })),
  }));
  return { ...reanalysis, climate };
}

/** Two reanalyses with uncorrelated errors: their mean is better than each. */
const two = [
  buildWrong("one", (month) => month % 2 === 0 ? 0.06 : -0.06),
  buildWrong("two", (month) => month % 4 < 2 ? 0.06 : -0.06),
];

describe("a turbine that is computed again", () => {
  for (const reanalyses of [two.slice(1), two]) {
    it(`has the same months and model as the first time, with ${reanalyses.length} reanalyses`, () => {
      const data = buildGridSite({ reanalyses });
      const before = computeTurbine(data, 0, [], first);
      const { calibration } = before;
      const weights = calibration!.reanalyses.map(({ weight }) => weight);
      assert(weights.length === reanalyses.length && weights.every((weight) => weight > 0));
      const repeated = computeTurbine(data, 0, [], { ...first, calibration, nextRevision: 2 });
      assertEquals([repeated.outcome, repeated.calibration], ["unchanged", calibration]);
      assertEquals(repeated.months, before.months);
      assertEquals(repeated.model, before.model);
      assert(repeated.months.some((month) => month.predicted_production_low !== null));
    });
  }

  it("keeps its calibration if only its name changes", () => {
    const data = buildGridSite();
    const { calibration } = computeTurbine(data, 0, [], first);
    const changed = changeTurbine(data, "T1", ({ turbine }) => ({
      turbine: { ...turbine, name: "Renamed" },
    }));
    const { calibration: kept } = computeTurbine(changed, 0, [], {
      ...first,
      calibration,
      nextRevision: 2,
    });
    assertEquals(kept, calibration);
  });
});
