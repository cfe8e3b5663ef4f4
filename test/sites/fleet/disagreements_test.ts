import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { ImportedTurbine } from "../../../src/sites/calibration/compute_turbine.ts";
import { describeDisagreements } from "../../../src/sites/fleet/store_site.ts";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import type { CalibrationPeriod } from "../../../src/windindex/calibration/calibration.ts";
import { readPublished } from "../../service/_published.ts";
import { importFile, withSite } from "../_site.ts";
import { turbine } from "../_turbine.ts";

/** Builds a month of 744 h; `made` is the ratio of produced to modelled energy. */
function period(
  label: string,
  made: number,
  weight: number,
  changes: Partial<CalibrationPeriod> = {},
): CalibrationPeriod {
  return {
    label,
    hourly: true,
    produced: 1000 * made,
    modelled: 1000,
    unseen: 1000,
    hours: 744,
    validHours: 744,
    weight,
    used: true,
    reason: "",
    ...changes,
  };
}

/** Builds turbines from the periods of their calibrations; `null` is a turbine without production. */
function turbines(...all: readonly (readonly CalibrationPeriod[] | null)[]): ImportedTurbine[] {
  return all.map((periods, i) => ({
    turbine: { ...turbine, id: `T${i}` },
    climate: [],
    outcome: periods ? "first" : "none",
    presentAnnualEnergy: null,
    months: [],
    filled: [],
    findings: [],
    production: null,
    doubts: [],
    calibration: periods && {
      revision: 1,
      calibration: {
        k: 1,
        scaling: { kind: "factor", k: 1 },
        smoothing: 1,
        candidates: [],
        periods,
        hours: 744,
        residual: null,
      },
      reanalyses: [],
      choice: { kind: "single", error: null },
      trainingStart: "",
      trainingEnd: "",
      referenceYears: [],
      notes: [],
      findings: [],
      basis: { declaration: "", engine: "", hours: [], periods: [] },
      meanAnnualEnergy: 1,
      pointDistance: null,
      hourCorrelation: null,
      normalMonths: Array(12).fill(1 / 12),
      uncertainty: {
        ...{ draws: 0, seed: 1, block: 1, interAnnualVariability: null },
        ...{ k: { low: 1, high: 1 }, longTerm: { low: 1, high: 1 } },
        parts: { calibration: 0, season: 0, level: 0, spread: 0 },
      },
    },
  }));
}

describe("describeDisagreements()", () => {
  it("S4: names a month in which all turbines deviate far to the same side", () => {
    assertEquals(
      describeDisagreements(turbines(
        [period("2018-05", 0.58, 0.21), period("2018-06", 1.02, 1)],
        [period("2018-05", 0.64, 0.34), period("2018-06", 0.97, 1)],
        null,
      )),
      [
        "Disagreement with the reanalysis in 2018-05: each of the 2 turbines made 58 to 64 % of the energy the " +
        "reanalysis predicts, and their hours show no stop. The month stays in the fit, but counts for at most 34 % of another month.",
      ],
    );
  });

  it("names months in order of time, also with more energy than expected", () => {
    const far = [period("2019-01", 1.31, 0.3), period("2018-02", 0.7, 0.3)];
    const lines = describeDisagreements(turbines(far, far));
    assertEquals(lines.map((line) => line.split(":")[0]), [
      "Disagreement with the reanalysis in 2018-02",
      "Disagreement with the reanalysis in 2019-01",
    ]);
    assertMatch(lines[1], /each of the 2 turbines made 131 % .* their hours show no stop/);
  });

  const other = period("2018-05", 0.6, 0.2);

  it("names none for a single turbine, which may have a hidden fault", () => {
    assertEquals(describeDisagreements(turbines([other])), []);
  });

  it("S4: names one in which the median turbine deviates far and all others more than usual", () => {
    const sites = [0.15, 0.3, 0.6].map((weight) => [period("2018-05", 0.8, weight)]);
    assertEquals(describeDisagreements(turbines(...sites)).length, 1);
  });

  it("names none with small deviations from very regular months", () => {
    const sites = [0.95, 0.93].map((ratio) => [period("2018-05", ratio, 0.2)]);
    assertEquals(describeDisagreements(turbines(...sites)), []);
  });

  for (
    const [label, changes] of [
      ["one turbine is like its other months", period("2018-05", 0.93, 0.8)],
      ["one turbine has the other sign", period("2018-05", 1.4, 0.2)],
    ] as const
  ) {
    it(`names none if ${label}`, () => {
      assertEquals(describeDisagreements(turbines([other], [changes])), []);
    });
  }

  for (
    const [label, changes] of [
      ["has many stops", { validHours: 300 }],
      ["has a few days, all of its record there", { hours: 100, validHours: 100 }],
      ["does not count", { used: false, weight: 0, modelled: null }],
      ["is known as one energy", { hourly: false }],
    ] as const
  ) {
    it(`does not judge a month by a turbine that ${label}`, () => {
      const left = period("2018-05", 0.6, 0.2, changes);
      assertEquals(describeDisagreements(turbines([left], [other])), []);
      assertEquals(describeDisagreements(turbines([left], [other], [other])).length, 1);
    });
  }
});

describe("an import with too much wind of the reanalysis in a month", () => {
  it("S4: reports the month at all turbines, not as an outage, and keeps it in the fit", async () => {
    await withSite(async (site, data) => {
      const [first] = site.declared.turbines;
      site.declared.turbines.push({ ...first, id: "E2", latitude: first.latitude + 0.01 });
      await site.editLines("climate.csv", ([header, ...rows]) => {
        const speeds = ["wind_speed_10", "wind_speed_100"].map((name) =>
          header.split(",").indexOf(name)
        );
        return [
          header,
          ...rows.map((row) => {
            if (!row.startsWith("2023-05")) return row;
            const fields = row.split(",");
            for (const i of speeds) fields[i] = (1.35 * Number(fields[i])).toFixed(2);
            return fields.join(",");
          }),
        ];
      });
      const result = await importFile(await site.siteFile(), data);
      const named =
        /^Disagreement with the reanalysis in 2023-05: each of the 2 turbines made [3-7]\d % /;
      for (const { turbine, calibration, findings } of result.turbines) {
        const lines = findings.filter((line) => line.startsWith("Disagreement"));
        assertEquals(lines.length, 1, lines.join("\n"));
        assertMatch(lines[0], named);
        const { periods } = calibration!.calibration;
        assertEquals(periods.filter(({ used }) => !used), []);
        const { weight } = periods.find(({ label }) => label === "2023-05")!;
        assert(weight > 0 && weight < 0.5, `${weight}`);
        assert(formatImport(result).includes(`\n  found: ${lines[0]}`));
        const { reports } = await readPublished(data, turbine.id);
        assert(reports.get("2024-05")!.calibration.findings.includes(lines[0]));
      }
    });
  });
});
