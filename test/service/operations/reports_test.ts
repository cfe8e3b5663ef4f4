/**
 * The monthly report, field by field against the store and against itself: its figures must follow from the stored ones.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { figures } from "../../../src/api/columns/columns.ts";
import {
  type MonthlyReportResource,
  monthlyReportResource,
} from "../../../src/api/resources/report_resource.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import type { StoredMonth, StoredTurbine } from "../../../src/sites/keep/site_record.ts";
import { measureUnseenFit } from "../../../src/windindex/calibration/unseen_fit.ts";
import { importFile, makeSite } from "../../sites/_site.ts";
import { formatMonth, monthsBetween, reportPath, withAsk } from "../_published.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/** Month of which some days of climate are missing. */
const INCOMPLETE = "2024-03";

describe("the monthly report", () => {
  let data: string;
  let turbine: StoredTurbine;
  let months: ReadonlyMap<string, StoredMonth>;
  const reports = new Map<string, MonthlyReportResource>();

  beforeAll(async () => {
    data = await Deno.makeTempDir();
    const site = await makeSite();
    const [declared] = site.declared.turbines;
    site.declared.climate[0].variables!.preliminary = { column: "expver" };
    declared.exclude = [{ from: "2023-02-01", to: "2023-02-28", reason: "curtailed" }];
    // a park of two turbines, with five days of missing wind, and preliminary hours
    declared.units = 2;
    await site.editColumn("production.csv", "power", (value) => value && `${2 * Number(value)}`);
    await site.editLines("climate.csv", ([header, ...rows]) => [
      `${header},expver`,
      ...rows.filter((row) => !(row >= `${INCOMPLETE}-10` && row < `${INCOMPLETE}-15`))
        .map((row) => `${row},${row >= "2024-11-20" ? 1 : 0}`),
    ]);
    await importFile(await site.siteFile(), data);
    await Deno.remove(site.folder, { recursive: true });
    const { store } = await openStorage(data);
    turbine = (await sitesOf(store).turbine("E1"))!;
    months = new Map(
      (await sitesOf(store).months("E1")).map((month) => [formatMonth(month), month]),
    );
    await store.close();
    await withAsk(data, async (ask) => {
      for (const [name, month] of months) {
        if (month.month_index === null) continue;
        const answer = await ask(reportPath("E1", name));
        assertEquals(answer.status, 200);
        reports.set(name, monthlyReportResource.parse(await answer.json()));
      }
    });
  });
  afterAll(async () => await Deno.remove(data, { recursive: true }));

  const figureNames = figures.map(({ name }) => name);

  it("exists for every month with figures, and for no other", async () => {
    const all = monthsBetween("2023-01", "2024-12");
    assertEquals([...months.keys()], all);
    assertEquals([...reports.keys()], all.filter((month) => month !== INCOMPLETE));
    await withAsk(data, async (ask) => {
      for (const period of [INCOMPLETE, "2022-12", "2025-01"]) {
        assertEquals((await ask(reportPath("E1", period))).status, 404, period);
      }
      assertEquals((await ask(reportPath("E1", "2024-05", 2))).status, 404);
      assertEquals((await ask(reportPath("E1", "2024-05", 0))).status, 404);
      const list = await (await ask("/onlinedata-services/windindex/calibrated/report/E1")).json();
      assertEquals(list, [...reports.keys()].map((month) => ({ month })));
    });
  });

  it("has the stored figures, interval, state and revision of its month", () => {
    for (const [name, report] of reports) {
      const month = months.get(name)!;
      assertEquals([report.turbine_id, report.name], ["E1", turbine.turbine.name]);
      assertEquals([report.period, report.revision], [name, month.revision]);
      assertEquals([report.status, report.completeness], [month.status, month.completeness]);
      assertEquals(report.indices, {
        monthIndex: month.month_index,
        month_abnormality_index: month.month_abnormality_index,
        last12_month_index: month.last12_month_index,
        last_full_quarter_index: month.last_full_quarter_index,
        last_full_year_index: month.last_full_year_index,
        predicted_production: month.predicted_production,
        predicted_production_low: month.predicted_production_low,
        predicted_production_high: month.predicted_production_high,
      });
    }
    assertEquals(
      [...reports].filter(([, { status }]) => status === "preliminary").map(([name]) => name),
      ["2024-11", "2024-12"],
    );
  });

  it("has an interval that contains the predicted production, and is of a plausible width", () => {
    for (const [name, { indices }] of reports) {
      const energy = indices.predicted_production as number;
      const low = indices.predicted_production_low as number;
      const high = indices.predicted_production_high as number;
      assert(0 < low && low < energy && energy < high, name);
      // symmetric in its logarithm
      assertAlmostEquals(energy / low, high / energy, 1e-9);
      assert(high / low > 1.1 && high / low < 1.7, `${name}: ${low} to ${high}`);
    }
  });

  it("has twelve months in its history, up to its own, with state and interval", () => {
    for (const [name, { history, indices }] of reports) {
      const last = Temporal.PlainYearMonth.from(name);
      const first = last.subtract({ months: 11 }).toString();
      const expected = monthsBetween(first < "2023-01" ? "2023-01" : first, name);
      assertEquals(history.map(({ period }) => period), expected, name);
      for (const { period, ...entry } of history) {
        const { monthIndex, ...others } = entry;
        const { year: _y, month: _m, calibration: _c, edition: _e, ...stored } = months.get(
          period,
        )!;
        assertEquals({ month_index: monthIndex, ...others }, { ...stored }, period);
      }
      assertEquals(history.at(-1)!.predicted_production, indices.predicted_production);
    }
    assertEquals(reports.get("2024-12")!.history.length, 12);
  });

  it("has an incomplete month in its history, without figures", () => {
    const { completeness, status, revision, period, ...rest } = reports.get("2024-05")!.history
      .find((entry) => entry.period === INCOMPLETE)!;
    assert(completeness as number > 0.8 && completeness as number < 0.86, String(completeness));
    assertEquals([status, revision, period], ["final", 1, INCOMPLETE]);
    assertEquals(new Set(Object.values(rest)), new Set([null]));
  });

  it("defines 100 %, and its indices follow from that", () => {
    const { calibration } = turbine;
    for (const [name, { reference_period, indices }] of reports) {
      const { longTerm, interAnnualVariability } = calibration!.uncertainty!;
      assertEquals(reference_period, {
        first_year: 2023,
        last_year: 2023, // 2024 has an incomplete month
        mean_annual_production: calibration!.meanAnnualEnergy! / 1000,
        mean_annual_production_low: longTerm!.low / 1000,
        mean_annual_production_high: longTerm!.high / 1000,
        inter_annual_variability: null, // one year
      });
      assertEquals(interAnnualVariability, null);
      const year = 1200 * (indices.predicted_production as number) / (indices.monthIndex as number);
      assertAlmostEquals(reference_period.mean_annual_production! / year, 1, 1e-9, name);
      const { mean_annual_production_low: low, mean_annual_production_high: high } =
        reference_period;
      assert(low! < year && year < high!, name);
      assert(high! / low! < 1.25, `${low} to ${high}`);
    }
    const fullYear = monthsBetween("2023-01", "2023-12")
      .reduce((sum, name) => sum + (reports.get(name)!.indices.predicted_production as number), 0);
    const { mean_annual_production } = reports.get("2024-05")!.reference_period;
    assertAlmostEquals(mean_annual_production! / fullYear, 1, 1e-12);
  });

  it("describes the fit, as in the stored calibration", () => {
    const stored = turbine.calibration!;
    const { k, smoothing, candidates, hours, residual, periods } = stored.calibration;
    const unseen = measureUnseenFit(periods)!;
    for (const { calibration } of reports.values()) {
      assertEquals(calibration, {
        revision: 1,
        k,
        k_low: stored.uncertainty!.k!.low,
        k_high: stored.uncertainty!.k!.high,
        scaling: stored.calibration.scaling.kind,
        parameters: calibration.parameters,
        smoothing,
        candidates: candidates.map(({ kind, smoothing, error }) => ({
          scaling: kind,
          smoothing,
          left_out: "periods", // of one year
          error: 100 * error,
        })),
        reanalyses: [{
          service_id: "example-climate",
          weight: 1,
          k,
          error: 100 * unseen.error,
          lag: stored.reanalyses[0].lag,
          trend: null, // of two years
        }],
        training_start: "2023-01-01",
        training_end: "2023-12-31",
        periods: 11,
        hours,
        residual: 100 * residual!,
        unseen_error: 100 * unseen.error,
        unseen_correlation: unseen.r,
        unseen_outages: unseen.outages,
        unseen_error_counted: unseen.countedError === null ? null : 100 * unseen.countedError,
        verdict: "good",
        reason: calibration.reason,
        findings: [...stored.findings],
      });
    }
    assertAlmostEquals(stored.reanalyses[0].lag!, 0, 0.1);
    const { calibration } = reports.get("2024-05")!;
    assert(calibration.k_low! < k && k < calibration.k_high!);
    assertEquals(periods.filter(({ used }) => !used).map(({ label }) => label), ["2023-02"]);
    assertEquals(calibration.candidates[0].scaling, "factor");
    for (const { error } of calibration.candidates) assert(error > 1 && error < 15, `${error} %`);
    if (calibration.scaling === "factor") {
      assertEquals(calibration.parameters, [{ name: "k", value: k }]);
    } else assert(calibration.parameters.length >= 2);
  });

  it("has the notes and findings that a reader should know", () => {
    const { notes, calibration: { findings } } = reports.get("2024-05")!;
    assertEquals(notes, [...turbine.calibration!.notes]);
    for (
      const part of [
        "Wind from one climate point",
        "A park of 2 units",
        "Production of 2023-02-01 to 2023-02-28 excluded: curtailed.",
        "Left out of the calibration: 2023-02 (production missing or masked).",
        "Wind speed is scaled by",
      ]
    ) assert(notes.some((note) => note.startsWith(part)), `${part}: ${notes.join("\n")}`);
    assert(findings.some((finding) => finding.startsWith("standstill, 75 h: 2023-08 (75 h).")));
    for (const line of [...notes, ...findings]) assert(line.endsWith("."), line);
  });

  it("names each figure of a month like the monthly record and the table", async () => {
    await withAsk(data, async (ask) => {
      const { indices } = reports.get("2024-05")!;
      const record = await (await ask("/wind-index/calibrated/wind_indices/E1/2024/5/")).json();
      for (const [name, value] of Object.entries(indices)) assertEquals(record[name], value, name);
      assertEquals(record.revision, 1);
      const csv = await (await ask("/wind-index/calibrated/wind_indices/E1")).text();
      const [header, ...rows] = csv.trimEnd().split("\n").map((line) => line.split(","));
      assertEquals(header.slice(-2), ["predicted_production_low", "predicted_production_high"]);
      const row = rows.find(([year, month]) => year === "2024" && month === "5")!;
      for (const name of [...figureNames, ...header.slice(-2)]) {
        const sent = row[header.indexOf(name)];
        const stored = months.get("2024-05")![name as "month_index"];
        assertEquals(sent === "" ? null : Number(sent), stored, name);
      }
      const incomplete = rows.find(([year, month]) => year === "2024" && month === "3")!;
      assertEquals(incomplete.slice(-2), ["", ""]);
    });
  });
});

describe("the monthly report of a turbine with little production", () => {
  it("has wide intervals of one month, from other sites", async () => {
    const data = await Deno.makeTempDir();
    const site = await makeSite({ production: ["2022-12-31T23", "2023-01-31T23"] });
    try {
      await importFile(await site.siteFile(), data);
      await withAsk(data, async (ask) => {
        const answer = await ask(reportPath("E1", "2024-05"));
        const report = monthlyReportResource.parse(await answer.json());
        const { indices, calibration, reference_period, history } = report;
        const { predicted_production_low: low, predicted_production_high: high } = indices;
        assert(low! > 0 && high! > 1.2 * low!, `${low} to ${high}`);
        assert(calibration.k_low! < calibration.k && calibration.k < calibration.k_high!);
        assertEquals([calibration.scaling, calibration.periods], ["factor", 1]);
        assertEquals([calibration.candidates, calibration.residual], [[], null]);
        assertEquals([calibration.unseen_error, calibration.unseen_correlation], [null, null]);
        const { mean_annual_production: year, mean_annual_production_low: least } =
          reference_period;
        assert(least! > 0 && least! < year!, `${least} of ${year}`);
        assertEquals(reference_period.inter_annual_variability, null);
        assert(history.every((entry) => entry.predicted_production_low! > 0));
      });
    } finally {
      await Deno.remove(site.folder, { recursive: true });
      await Deno.remove(data, { recursive: true });
    }
  });
});
