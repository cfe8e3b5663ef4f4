import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  explainIndex,
  type IndexExplanation,
} from "../../../src/analysis/explain_index/explain_index.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { TurbineDetails } from "../../../src/api/resources/resources.ts";
import { connect, modelData, monthlyIndices, turbineDetails } from "../../../mod.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { HOUR } from "../../../src/time/hourly.ts";
import { monthAsDays } from "../../../src/time/zones.ts";
import { buildOrigin } from "../../plots/_frames.ts";
import { importFile } from "../../sites/_site.ts";
import { dataPresent } from "../../validate/_site_data.ts";

// A world to compute by hand: 1,000 kW in every hour of 2021, 800 in 2022, 1,200 in 2023; the curve gives 100 kW per
// m/s.
const POWER: Readonly<Record<number, number>> = { 2021: 1000, 2022: 800, 2023: 1200 };
const START = Date.UTC(2021, 0, 1);
const HOURS = 3 * 365 * 24;

const details = {
  turbine_id: "A1",
  name: "Exercise",
  rated_power: 2000,
  time_zone: "UTC",
  power_curve: {
    power_control: "pcPitch",
    power: [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 2000 }],
  },
} as unknown as TurbineDetails;

function powerAt(hour: number): number {
  return POWER[2021 + Math.floor(hour / (365 * 24))];
}

/** Hours of the three years, some of them without a value. */
function buildModel(missing: (hour: number) => boolean = () => false): DataFrame {
  const hours = Array.from({ length: HOURS }, (_, i) => i);
  const values = (of: (hour: number) => number) =>
    hours.map((hour) => missing(hour) ? null : of(hour));
  return buildFrame(modelDataCsv, {
    time: BigInt64Array.from(hours, (hour) => BigInt(START + hour * HOUR) * 1000n),
    wind_speed: values((hour) => powerAt(hour) / 100),
    air_density: values(() => 1.225),
    power: values(powerAt),
  });
}

/** One month in the format of a service. */
function served(month: string, figures: Readonly<Record<string, number | null>>): DataFrame {
  const columns = monthlyIndicesFrame.filter(({ name }) =>
    name === "turbine_id" || name === "month" || name === "completeness" || name in figures
  );
  const values = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, [value]]),
  );
  return buildFrame(columns, {
    turbine_id: ["A1"],
    month: [monthAsDays(Temporal.PlainYearMonth.from(month))],
    completeness: [1],
    ...values,
  });
}

// March 2023: 744 h x 1.2 MW = 892.8 MWh. Years: 8,760, 7,008 and 10,512 MWh, so a normal one has 8,760 and its twelfth 730;
// normal March: (744 + 595.2 + 892.8) / 3 = 744. April 2022 to March 2023: 6,600 h x 0.8 + 2,160 h x 1.2 = 7,872.
const march = served("2023-03", {
  month_index: 100 * 892.8 / 730,
  month_abnormality_index: 120,
  last12_month_index: 100 * 7872 / 8760,
  last_full_quarter_index: 120,
  last_full_year_index: 80,
  predicted_production: 892.8,
});

function step(explained: IndexExplanation, quantity: string): {
  value: number | null;
  served: number | null;
  gap: number | null;
} {
  const names = explained.frames.steps.getColumn("quantity").toArray() as string[];
  const at = names.findIndex((name) => name.startsWith(quantity));
  assert(at >= 0, `no step ${quantity}`);
  const of = (name: string) => explained.frames.steps.getColumn(name).getIndex(at) as number | null;
  return { value: of("value"), served: of("served"), gap: of("gap") };
}

describe("explainIndex()", () => {
  it("recomputes a month step by step, as computed by hand", () => {
    const explained = explainIndex({ details, model: buildModel(), indices: march }, "2023-03");
    const expected: [string, number][] = [
      ["Hours of the month", 744],
      ["Valid hours", 744],
      ["Completeness", 100],
      ["Smoothing of the power curve", 0], // a straight line is its own mean: the service may not have smoothed it
      ["Power in the hour", 1200],
      ["Energy by the power curve", 892.8],
      ["Energy of the valid hours", 892.8],
      ["Predicted production", 892.8],
      ["Normal year", 8760],
      ["Normal March", 744],
      ["One twelfth", 730],
      ["Month index", 122.3013698630137],
      ["Month abnormality", 120],
      ["Last 12 months", 89.86301369863014],
      ["Last full quarter", 120],
      ["Last full year", 80],
    ];
    for (const [quantity, value] of expected) {
      assertAlmostEquals(step(explained, quantity).value!, value, 1e-9, quantity);
    }
    assertEquals(explained.frames.steps.height, expected.length);
    const gaps = explained.frames.steps.getColumn("gap").dropNulls().toArray() as number[];
    assert(gaps.every((gap) => Math.abs(gap) < 1e-9));
  });

  it("reports how far the service is off, in % of its value", () => {
    const wrong = march.withColumns(pl.lit(893.8).alias("predicted_production"));
    const explained = explainIndex({ details, model: buildModel(), indices: wrong }, "2023-03");
    assertAlmostEquals(step(explained, "Predicted production").gap!, -100 / 893.8, 1e-9);
  });

  it("finds the reference period that the service does not report", () => {
    // Of 2021 and 2022 alone a normal year is 7,884 MWh.
    const other = served("2023-03", {
      month_index: 100 * 892.8 / (7884 / 12),
      month_abnormality_index: 100 * 892.8 / 669.6,
      last12_month_index: null,
      last_full_quarter_index: null,
      last_full_year_index: null,
      predicted_production: 892.8,
    });
    const explained = explainIndex({ details, model: buildModel(), indices: other }, "2023-03");
    assertAlmostEquals(step(explained, "Normal year").gap!, 0, 1e-6);
    assert(
      explained.notes.some((note) =>
        note.includes("2021 to 2022, because these whole years reproduce the normal year and")
      ),
    );
    assertEquals(explained.frames.years.getColumn("in_reference").toArray(), [true, true, false]);
  });

  it("claims no reference period by chance: the normal month has to match as well", () => {
    // 2021 and 2022 give 7,884 MWh a year, but no span gives 700 MWh a March.
    const other = march.withColumns(
      pl.lit(100 * 892.8 / (7884 / 12)).alias("month_index"),
      pl.lit(100 * 892.8 / 700).alias("month_abnormality_index"),
    );
    const explained = explainIndex({ details, model: buildModel(), indices: other }, "2023-03");
    assertAlmostEquals(step(explained, "Normal year").value!, 8760, 1e-9);
    assert(
      explained.notes.some((note) => note.includes("no span of whole years")),
      explained.notes.join(),
    );
  });

  it("refuses reference years that are not years, or are incomplete", () => {
    const data = { details, model: buildModel(), indices: march };
    const message = (first: number, last: number) =>
      assertThrows(
        () => explainIndex(data, "2023-03", { referenceYears: [first, last] }),
        ArgumentError,
      ).message;
    assertEquals(
      message(2023, 2021),
      "Cannot take 2023 to 2021 as the reference period: it must be two whole years, the earlier one first. Give them as [2006, 2020]",
    );
    assertEquals(
      message(2019, 2022),
      "Cannot take 2019 to 2022 as the reference period: the model data do not have twelve complete months of " +
        "2019, 2020. Ask modelData() for these years",
    );
  });

  it("notes that a preliminary month may change", () => {
    const early = march.withColumn(pl.lit("preliminary").alias("status"));
    const { notes } = explainIndex({ details, model: buildModel(), indices: early }, "2023-03");
    assert(notes[0].startsWith("The service marks the month as preliminary"));
  });

  it("claims no reference period without an index to test it", () => {
    const empty = march.withColumn(pl.lit(null).cast(pl.Float64).alias("month_index"));
    const { notes } = explainIndex({ details, model: buildModel(), indices: empty }, "2023-03");
    assert(
      notes.some((note) => note.includes("but had no index of the service to confirm this")),
      notes.join(),
    );
  });

  it("allows for the rounding of the service's figures", () => {
    // 892.8 MWh over 122 % make a normal year of 8,781.6 MWh, 0.25 % too much: no more than rounding 122.3 gives.
    const rounded = march.withColumns(
      pl.lit(122).alias("month_index"),
      pl.lit(120).alias("month_abnormality_index"),
    );
    const { notes } = explainIndex({ details, model: buildModel(), indices: rounded }, "2023-03");
    assert(notes.some((note) => note.includes("2021 to 2023, 3 whole years")), notes.join());
    assert(notes.every((note) => !note.includes("no span")), notes.join());
  });

  it("takes months in the zone of the turbine, also from model data in UTC", () => {
    // In Copenhagen, March 2023 has 743 h: from 28 February, 23:00, to 31 March, 22:00 UTC.
    const zoned = { ...details, time_zone: "Europe/Copenhagen" };
    const explained = explainIndex(
      { details: zoned, model: buildModel(), indices: march },
      "2023-03",
    );
    assertEquals(step(explained, "Hours of the month").value, 743);
  });

  it("notes that the energy of the month differs from the service's", () => {
    const other = march.withColumn(pl.lit(886).alias("predicted_production"));
    const { notes } = explainIndex({ details, model: buildModel(), indices: other }, "2023-03");
    assertEquals(
      notes[0],
      "The energy of the month is 0.77 % above the service's value. Model data and indices probably come from different " +
        "revisions, or the service treats hours, timestamps or months differently.",
    );
  });

  it("stays synthetic if the model data are invented, whatever the indices are", () => {
    const ownMarch = describeFrame(march, [], {
      ...buildOrigin("own"),
      attribution: ["Copernicus"],
    });
    const invented = describeFrame(buildModel(), [], buildOrigin("sample"));
    const { frames: { steps } } = explainIndex(
      { details, model: invented, indices: ownMarch },
      "2023-03",
    );
    assertEquals(provenance(steps).map(({ world }) => world), ["own", "sample"]);
    assert(provenance(steps)[0].attribution.includes("Copernicus"));
  });

  it("refuses model data of another turbine", () => {
    const model = buildModel().withColumn(pl.lit("A2").alias("turbine_id"));
    assertEquals(
      assertThrows(() => explainIndex({ details, model, indices: march }, "2023-03"), ArgumentError)
        .message,
      "Cannot explain the index of 2023-03: the model data are for A2, but the details are for A1. " +
        "Give both for the same turbine",
    );
  });

  it("takes a declared reference period without a search", () => {
    const options = { referenceYears: [2022, 2022] } as const;
    const explained = explainIndex(
      { details, model: buildModel(), indices: march },
      "2023-03",
      options,
    );
    assertAlmostEquals(step(explained, "Normal year").value!, 7008, 1e-9);
  });

  it("leaves open the figures of a month without enough hours", () => {
    // 20 of the 744 hours of March 2023 are missing: 97.3 %.
    const first = 2 * 365 * 24 + 59 * 24;
    const model = buildModel((hour) => hour >= first && hour < first + 20);
    const empty = served("2023-03", {
      month_index: null,
      month_abnormality_index: null,
      last12_month_index: null,
      last_full_quarter_index: null,
      last_full_year_index: null,
      predicted_production: null,
    });
    const explained = explainIndex({ details, model, indices: empty }, "2023-03");
    assertEquals(step(explained, "Valid hours").value, 724);
    assertEquals(step(explained, "Predicted production").value, null);
    assertEquals(step(explained, "Month index").value, null);
    assert(explained.notes.some((note) => note.includes("97.3 % of its hours")));
  });

  it("scales a month with a few missing hours to all of them", () => {
    const first = 2 * 365 * 24 + 59 * 24;
    const model = buildModel((hour) => hour >= first && hour < first + 10);
    const explained = explainIndex({ details, model, indices: march }, "2023-03");
    assertAlmostEquals(step(explained, "Energy of the valid hours").value!, 734 * 1.2, 1e-9);
    assertAlmostEquals(step(explained, "Predicted production").value!, 892.8, 1e-9);
  });

  it("recomputes the energy from one month of model data, and lists the data that the other steps need", () => {
    const model = buildModel().filter(
      pl.col("time").cast(pl.Utf8).str.slice(0, 7).eq(pl.lit("2023-03")),
    );
    const explained = explainIndex({ details, model, indices: march }, "2023-03");
    assertAlmostEquals(step(explained, "Predicted production").value!, 892.8, 1e-9);
    assertEquals(step(explained, "Normal year").value, null);
    assertAlmostEquals(step(explained, "Normal year").served!, 8760, 1e-6);
    assert(explained.notes.some((note) => note.includes("do not cover a whole year")));
  });

  it("leaves the power curve out if it is unknown", () => {
    const bare = { ...details, power_curve: null };
    const explained = explainIndex(
      { details: bare, model: buildModel(), indices: march },
      "2023-03",
    );
    assert(explained.notes.some((note) => note.startsWith("To recompute the power")));
    assertThrows(() => step(explained, "Energy by the power curve"));
  });

  it("reproduces the sample's figures, in any month", async () => {
    await using connection = connect({ sample: true });
    const details = await turbineDetails("T1", { connection });
    const model = await modelData("T1", { connection });
    const indices = await monthlyIndices("T1", { connection });
    for (const month of ["2008-12", "2015-03", "2025-10"]) {
      const { frames: { steps } } = explainIndex({ details, model, indices }, month);
      const values = ["value", "served"].map((name) => steps.getColumn(name).toArray());
      values[0].forEach((value, i) => {
        const servedValue = values[1][i] as number | null;
        if (servedValue === null) return;
        // The service rounds: power to 0.1 kW, wind speed to 0.01 m/s.
        assert(
          Math.abs(value as number - servedValue) <= 3e-4 * Math.abs(servedValue),
          `${month}: ${i}`,
        );
      });
    }
  });

  const onSite = dataPresent() ? it : it.ignore;
  const reason = dataPresent() ? "" : " (skipped: ../shared/data is not here)";
  onSite(`recomputes what Kelmarsh's own service says, and finds its years${reason}`, async () => {
    const data = await Deno.makeTempDir();
    try {
      await importFile(new URL("../../sites/kelmarsh.json", import.meta.url).pathname, data);
      await using connection = connect({ data });
      const explained = explainIndex({
        details: await turbineDetails("KWF3", { connection }),
        model: await modelData("KWF3", { connection }),
        indices: await monthlyIndices("KWF3", { connection }),
      }, "2018-10");
      const { value, served } = step(explained, "Energy by the power curve");
      assertAlmostEquals(value! / served!, 1, 1e-3);
      assertAlmostEquals(step(explained, "Month abnormality").gap!, 0, 0.02);
      // ERA5 from August 2017 to July 2021: three whole years.
      assertEquals(
        explained.frames.years.filter(pl.col("in_reference")).getColumn("year").toArray(),
        [2018, 2019, 2020],
      );
    } finally {
      await Deno.remove(data, { recursive: true });
    }
  });

  it("names the month and the remedy if something is missing", () => {
    const data = { details, model: buildModel(), indices: march };
    const message = (change: Partial<typeof data>, month = "2023-03") =>
      assertThrows(() => explainIndex({ ...data, ...change }, month), ArgumentError).message;
    assertEquals(
      message({}, "2023-04"),
      "Cannot explain the index of 2023-04: the indices cover 2023-03 to 2023-03. " +
        "Ask monthlyIndices() for 2023-04",
    );
    assertEquals(
      message({ model: data.model.head(24) }),
      "Cannot explain the index of 2023-03: the model data cover 2021-01 to 2021-01. " +
        "Ask modelData() for this month",
    );
    assertEquals(
      message({ indices: march.drop("month_index") }),
      "Cannot explain the index of 2023-03: the indices lack the columns month_index. " +
        "Give the frame from monthlyIndices()",
    );
    assert(message({ model: data.model.drop("power") }).includes('lack "power" (kW)'));
    assert(
      message({ model: pl.concat([data.model, data.model]) }).includes(
        "the model data repeat an hour",
      ),
    );
  });
});
