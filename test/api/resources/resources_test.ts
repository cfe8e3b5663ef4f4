import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Column, Dtype } from "../../../src/api/columns/column.ts";
import { coverageList, datasetList, turbineList } from "../../../src/api/columns/columns.ts";
import {
  type MonthlyReportResource,
  monthlyReportResource,
} from "../../../src/api/resources/report_resource.ts";
import {
  apiKeyResource,
  buildReceivedSchema,
  buildSentSchema,
  receivedMonthlyIndex,
  receivedTurbineDetails,
} from "../../../src/api/resources/resources.ts";

function column(dtype: Dtype, more: Partial<Column> = {}): Column {
  return {
    name: "value",
    dtype,
    label: "Value",
    description: "A value.",
    tag: "ours",
    ...more,
  };
}

function takes(declared: Column, value: unknown): boolean {
  return buildReceivedSchema([declared]).safeParse({ value }).success;
}

const figures = {
  monthIndex: 104.2,
  month_abnormality_index: 98.1,
  last12_month_index: 101,
  last_full_quarter_index: 99.5,
  last_full_year_index: null,
  predicted_production: 412.7,
};

const report = {
  turbine_id: "T1",
  name: "First",
  period: "2023-05",
  revision: 1,
  status: "final" as const,
  completeness: 1,
  indices: { ...figures, predicted_production_low: 350, predicted_production_high: 480.5 },
  history: [
    {
      period: "2023-05",
      ...figures,
      status: "preliminary" as const,
      completeness: 0.99,
      revision: 2,
      predicted_production_low: null,
      predicted_production_high: null,
    },
  ],
  reference_period: {
    first_year: 2004,
    last_year: 2023,
    mean_annual_production: 5100.5,
    mean_annual_production_low: 4900,
    mean_annual_production_high: 5300,
    inter_annual_variability: 6.1,
  },
  calibration: {
    revision: 1,
    k: 1.03,
    k_low: 1.01,
    k_high: 1.05,
    scaling: "season",
    parameters: [{ name: "winter", value: 1.05 }, { name: "summer", value: 0.98 }],
    smoothing: 1.5,
    candidates: [
      { scaling: "factor", smoothing: 1, left_out: "periods", error: 6.2 },
      { scaling: "season", smoothing: 1, left_out: "periods", error: 5.3 },
      { scaling: "season", smoothing: 1.5, left_out: "periods", error: 5.1 },
    ],
    reanalyses: [
      { service_id: "era5", weight: 1, k: 1.03, error: 5.1, lag: 0.1, trend: -0.4 },
      { service_id: "merra2", weight: 0, k: 0.97, error: 6.4, lag: null, trend: null },
    ],
    training_start: "2020-01-01",
    training_end: "2022-12-31",
    periods: 36,
    hours: 26_280,
    residual: 4.2,
    unseen_error: 5.1,
    unseen_correlation: 0.99,
    unseen_outages: 0,
    unseen_error_counted: 5.1,
    verdict: "good" as const,
    reason: "a month predicted without its own production has an error of 5.1 %",
    findings: ["standstill, 96 h: 2021-03 (96 h). Ask the operator."],
  },
  intervals: {
    level: 90,
    draws: 1000,
    seed: 1,
    parts: { calibration: 2.1, season: 0, level: 3.2, spread: 0.8 },
  },
  notes: ["No temperature: standard density"],
};

describe("buildReceivedSchema()", () => {
  it("keeps additions", () => {
    const record = { turbine_id: "T1", park: { name: "P" }, rows: [1] };
    assertEquals(buildReceivedSchema(turbineList).parse(record), record);
  });

  it("F28 does not let an addition called __proto__ change any prototype", () => {
    const parsed = buildReceivedSchema(turbineList).parse(
      JSON.parse('{"turbine_id":"T1","__proto__":{"polluted":true}}'),
    );
    assertEquals(parsed.polluted, undefined);
    assertEquals(({} as Record<string, unknown>).polluted, undefined);
  });

  it("refuses anything but an object", () => {
    for (const value of [null, undefined, "T1", 1, true, [], [{ turbine_id: "T1" }]]) {
      assertEquals(buildReceivedSchema(turbineList).safeParse(value).success, false, String(value));
    }
  });

  it("uses the names on the wire", () => {
    const declared = column("f64", { name: "month_index", wire: "monthIndex" });
    assert(buildReceivedSchema([declared]).safeParse({ monthIndex: 1 }).success);
    assertEquals(buildReceivedSchema([declared]).parse({ month_index: 1 }).monthIndex, null);
  });

  it("K2: reads an absent field as null, unless it identifies the record", () => {
    assertEquals(buildReceivedSchema([column("f64", { notNull: true })]).parse({}), {
      value: null,
    });
    const key = column("utf8", { notNull: true, key: true });
    assertEquals(buildReceivedSchema([key]).safeParse({}).success, false);
    assertEquals(buildReceivedSchema([key]).safeParse({ value: null }).success, false);
    assertEquals(buildReceivedSchema([column("f64", { optional: true })]).parse({}), {});
    assertEquals(
      buildReceivedSchema([column("f64", { optional: true })]).safeParse({ value: "one" }).success,
      false,
    );
  });

  it("accepts null for a missing value", () => {
    for (const dtype of ["f64", "i32", "i64", "utf8", "bool", "date", "datetime"] as const) {
      assert(takes(column(dtype), null), dtype);
    }
  });

  const values: [Dtype, unknown[], unknown[]][] = [
    ["f64", [0, -1.5, 1e300, "1", "-2.5e3"], ["one", "", "1,5", true, [1], {}, NaN, Infinity]],
    ["i32", [0, -5, 2023, "5"], [1.5, "5.5", true, NaN, 2 ** 53]],
    ["i64", [0, 2 ** 53 - 1, 2n ** 60n, "5"], [1.5, "5.5", true, NaN, 2 ** 53]],
    ["utf8", ["", "text"], [5, true, ["text"], {}]],
    ["bool", [true, false], [0, 1, "true", ""]],
    ["date", ["2023-05-01"], [20230501, true]],
    ["datetime", ["2023-05-01T00:00:00Z"], [0, true]],
  ];
  for (const [dtype, good, bad] of values) {
    it(`accepts values of ${dtype} and refuses other types; E7: a number may be written as a text`, () => {
      for (const value of good) assert(takes(column(dtype), value), String(value));
      for (const value of bad) assertEquals(takes(column(dtype), value), false, String(value));
    });
  }

  it("names the field that is wrong", () => {
    const { error } = buildReceivedSchema(coverageList).safeParse({
      distance_to_request_location: 4.2,
      last_updated: "2024-01-01",
      latitude: "north",
      longitude: 7.75,
      start_year: "1940-01-01",
    });
    assertEquals(error?.issues.map(({ path }) => path), [["latitude"]]);
  });

  it("K1: accepts a number as an identifier", () => {
    assertEquals(buildReceivedSchema(turbineList).parse({ turbine_id: 7 }).turbine_id, "7");
  });

  it("describes each field with its unit, as our service sends it", () => {
    const [first] = coverageList;
    assertEquals(
      buildSentSchema(coverageList).shape.distance_to_request_location.meta()?.description,
      `${first.description} Unit: km.`,
    );
  });

  it("F35 accepts an id of a dataset beyond 2^53 without losing a digit", () => {
    const id = 9_007_199_254_740_993n;
    const texts = Object.fromEntries(datasetList.slice(1).map(({ name }) => [name, "text"]));
    assertEquals(buildReceivedSchema(datasetList).parse({ id, ...texts }).id, id);
  });
});

describe("receivedTurbineDetails", () => {
  const details = {
    turbine_id: "T1",
    name: "First",
    latitude: 55.5,
    longitude: 7.9,
    hub_height: 70,
    rated_power: 2000,
    rotor_diameter: 80,
    time_zone: "Europe/Copenhagen",
    training_start: null,
    training_end: null,
    data_ready: false,
    last_wind_index: null,
    power_curve: null,
  };

  it("F37 accepts a turbine that is not calibrated: no training, index or curve", () => {
    assertEquals(receivedTurbineDetails.parse(details), details);
  });

  it("keeps additions, also inside", () => {
    const more = { ...details, park: "P", last_wind_index: { month: 5, year: 2023, final: true } };
    assertEquals(receivedTurbineDetails.parse(more), more);
  });

  it("K2: accepts details with only the turbine's identifier, and unknown words", () => {
    const bare = receivedTurbineDetails.parse({ turbine_id: "T1" });
    assertEquals([bare.time_zone, bare.name, bare.power_curve], [null, null, null]);
    const power_curve = { power_control: "pcActiveStall", power: [] };
    assertEquals(
      receivedTurbineDetails.parse({ ...details, power_curve }).power_curve,
      power_curve,
    );
    assertEquals(receivedTurbineDetails.safeParse({ name: "First" }).success, false);
  });

  it("refuses a point of the power curve without power", () => {
    const power_curve = { power_control: "pcPitch", power: [{ wind_speed: 4 }] };
    assertEquals(receivedTurbineDetails.safeParse({ ...details, power_curve }).success, false);
  });
});

describe("receivedMonthlyIndex", () => {
  const month = { turbine_id: "T1", year: 2023, month: 5, ...figures };

  it("accepts only the fields of the API text, or our state in addition", () => {
    assertEquals(receivedMonthlyIndex.parse(month), month);
    const state = { status: "final" as const, completeness: 0.99, revision: 2 };
    for (
      const [low, high] of [[350, 480.5], [null, null]] // without an interval: too few months to tell
    ) {
      const interval = { predicted_production_low: low, predicted_production_high: high };
      const ours = { ...month, ...state, ...interval };
      assertEquals(receivedMonthlyIndex.parse(ours), ours);
    }
  });

  it("refuses a month and a figure that are not numbers", () => {
    assertEquals(receivedMonthlyIndex.safeParse({ ...month, month: "May" }).success, false);
    assertEquals(receivedMonthlyIndex.safeParse({ ...month, monthIndex: "high" }).success, false);
  });
});

describe("monthlyReportResource", () => {
  it("accepts a report with months without data in its history", () => {
    const empty = {
      monthIndex: null,
      month_abnormality_index: null,
      last12_month_index: null,
      last_full_quarter_index: null,
      last_full_year_index: null,
      predicted_production: null,
    };
    const [month] = report.history;
    const sent = { ...report, history: [{ ...month, period: "2022-06", ...empty }, month] };
    assertEquals(monthlyReportResource.parse(sent), sent);
  });

  it("accepts null for values that an older program did not store", () => {
    const sent = {
      ...report,
      indices: { ...figures, predicted_production_low: null, predicted_production_high: null },
      reference_period: {
        ...report.reference_period,
        mean_annual_production: null,
        mean_annual_production_low: null,
        mean_annual_production_high: null,
        inter_annual_variability: null,
      },
      calibration: {
        ...report.calibration,
        k_low: null,
        k_high: null,
        scaling: "linear",
        parameters: [{ name: "a", value: 1.05 }, { name: "b", value: -0.12 }],
        candidates: [],
        reanalyses: [],
        unseen_error: null,
        unseen_correlation: null,
        unseen_outages: 0,
        unseen_error_counted: null,
        findings: [],
      },
      intervals: { ...report.intervals, parts: null },
    };
    assertEquals(monthlyReportResource.parse(sent), sent);
  });

  it("keeps additions, also inside", () => {
    const more = { ...report.calibration, draws: 1000 };
    const sent: MonthlyReportResource = { ...report, park: "P", calibration: more };
    assertEquals(monthlyReportResource.parse(sent), sent);
  });

  it("refuses a report without one of its parts", () => {
    for (const name of Object.keys(report)) {
      const { [name]: _left, ...others } = report as Record<string, unknown>;
      assertEquals(monthlyReportResource.safeParse(others).success, false, name);
    }
  });

  for (const part of ["reference_period", "calibration"] as const) {
    it(`names the field of ${part} that is missing`, () => {
      for (const name of Object.keys(report[part])) {
        const { [name]: _left, ...others } = report[part] as Record<string, unknown>;
        const { error } = monthlyReportResource.safeParse({ ...report, [part]: others });
        assertEquals(error?.issues.map(({ path }) => path), [[part, name]]);
      }
    });
  }
});

describe("apiKeyResource", () => {
  it("has a key with its last day, or null", () => {
    for (const more of [{ expires: "2027-01-01" }, { expires: null }]) {
      assertEquals(apiKeyResource.parse({ api_key: "k", ...more }), { api_key: "k", ...more });
    }
  });

  it("refuses an answer without a key", () => {
    for (const answer of [{}, { api_key: null }, { api_key: 5 }, "k"]) {
      assertEquals(apiKeyResource.safeParse(answer).success, false);
    }
  });
});
