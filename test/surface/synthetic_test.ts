/**
 * Everything made from the sample says SYNTHETIC: tables, charts and files, after any chain of Polars operations.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { JUPYTER_DISPLAY } from "../../src/show/jupyter.ts";
import * as plots from "../../mod.ts";
import {
  type Chart,
  checkQuality,
  compareActual,
  compareReferences,
  connect,
  type Connection,
  coverage,
  exampleFile,
  modelData,
  monthlyIndices,
  pl,
  planBudget,
  provenance,
  readFrame,
  readProduction,
  saveFrame,
  table,
  turbineDetails,
  turbines,
} from "../../mod.ts";

type Frame = Awaited<ReturnType<typeof turbines>>;
type Step = (frame: Frame, random: SeededRandom) => Frame;

const pick = <T>(list: readonly T[], random: SeededRandom): T =>
  list[Math.floor(random.uniform() * list.length)];
const rename = (frame: Frame, random: SeededRandom) => {
  const name = pick(frame.columns, random);
  return frame.rename({ [name]: `${name}_${Math.floor(random.uniform() * 1e6)}` });
};

/** Operations that any frame takes. */
const STEPS: Readonly<Record<string, Step>> = {
  filter: (frame) => frame.filter(pl.lit(true)),
  head: (frame, random) => frame.head(1 + Math.floor(random.uniform() * 40)),
  tail: (frame, random) => frame.tail(1 + Math.floor(random.uniform() * 40)),
  slice: (frame) => frame.slice(0, 30),
  sort: (frame, random) => frame.sort(pick(frame.columns, random), random.uniform() < 0.5),
  select: (frame, random) => {
    const columns = frame.columns.filter(() => random.uniform() < 0.7);
    return frame.select(...(columns.length > 0 ? columns : frame.columns));
  },
  drop: (frame, random) => frame.width > 1 ? frame.drop(pick(frame.columns, random)) : frame,
  rename,
  withColumns: (frame, random) =>
    frame.withColumns(pl.lit(random.uniform()).alias(`n${Math.floor(random.uniform() * 1e6)}`)),
  cast: (frame, random) => frame.withColumn(pl.col(pick(frame.columns, random)).cast(pl.Utf8)),
  withRowIndex: (frame, random) => frame.withRowIndex(`i${Math.floor(random.uniform() * 1e6)}`),
  unique: (frame) => frame.unique(),
  reverse: (frame) => frame.reverse(),
  vstack: (frame) => frame.vstack(frame),
  concat: (frame) => pl.concat([frame, frame]),
  join: (frame, random) => {
    const on = pick(frame.columns, random);
    return frame.join(frame.select(on).unique(), { on });
  },
  groupBy: (frame, random) => {
    const by = pick(frame.columns, random);
    return frame.groupBy(by).agg(pl.len().alias(`count${Math.floor(random.uniform() * 1e6)}`));
  },
  partitionBy: (frame, random) => frame.partitionBy(pick(frame.columns, random))[0] ?? frame,
  lazy: (frame, random) => frame.lazy().sort(pick(frame.columns, random)).head(20).collectSync(),
};

/** Displays of a frame in a notebook and on a console, with its provenance. */
function assertMarked(frame: Frame, chain: string): void {
  assert(provenance(frame).some(({ world }) => world === "sample"), chain);
  assertMatch(table(frame).text(), /^SYNTHETIC: invented figures/, chain);
  const displays = frame as unknown as Record<symbol, () => Record<string, string>>;
  const bundle = displays[JUPYTER_DISPLAY as unknown as symbol]();
  assertStringIncludes(bundle["text/html"], "SYNTHETIC", chain);
}

describe("everything made from the sample", () => {
  let connection: Connection;
  let folder: string;
  let indices: Frame, model: Frame, recorded: Frame;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    connection = connect({ sample: true });
    indices = await monthlyIndices(["T1", "T2"], {
      from: "2020-01",
      to: "2024-12",
      connection,
    });
    model = await modelData("T1", { from: 2022, to: 2023, connection });
    recorded = await readProduction(await exampleFile("production.csv"), {
      resolution: "hour",
      unit: "kW",
      time: "time",
      column: "power",
    });
  });
  afterAll(async () => {
    await connection.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("V5: says SYNTHETIC after random chains of operations, in tables and saved files", async () => {
    const random = new SeededRandom(5);
    const frames = [indices, model.head(200), recorded.head(200), await turbines({ connection })];
    for (let round = 0; round < 150; round++) {
      let frame = pick(frames, random);
      const chain: string[] = [];
      for (
        let remaining = 1 + Math.floor(random.uniform() * 6);
        remaining > 0 && frame.height > 0;
        remaining--
      ) {
        const [name, step] = pick(Object.entries(STEPS), random);
        chain.push(name);
        frame = step(frame, random).head(100);
      }
      assertMarked(frame, chain.join(", "));
      if (round % 10 !== 0) continue;
      for (const ending of ["csv", "parquet"]) {
        const path = `${folder}/${round}.${ending}`;
        await saveFrame(frame, path);
        const metadata = JSON.parse(await Deno.readTextFile(`${path}-metadata.json`));
        assertStringIncludes(metadata.title, "SYNTHETIC");
        if (ending === "csv") assertMatch(await Deno.readTextFile(path), /^# SYNTHETIC: /);
        assertMarked(await readFrame(path), `${chain.join(", ")}, saved as ${ending}`);
      }
    }
  });

  it("M1: says so in every kind of chart, for derived frames and for frames made by hand", async () => {
    const months = indices.filter(pl.col("turbine_id").eq(pl.lit("T1"))).sort("month");
    const hours = model.filter(pl.col("power").gtEq(0)).select("time", "wind_speed", "power");
    const winds = model.tail(2000);
    const details = await turbineDetails("T1", { connection });
    const { latitude, longitude } = details as { latitude: number; longitude: number };
    const fleet = await turbineDetails(["T1", "T2"], { connection });
    const points = await coverage("era5", { latitude, longitude, numPoints: 4, connection });
    const compared = compareActual(recorded, model).filter(pl.lit(true));
    const quality = checkQuality(recorded.tail(9000), { timeZone: "Europe/Copenhagen" });
    const references = compareReferences(model.select("time", "power"), {
      T2: await modelData("T2", { from: 2022, to: 2023, connection }),
    });
    const byHand = {
      performance: pl.DataFrame([
        pl.Series("month", ["2023-01-01", "2023-02-01"]).str.strptime(pl.Date, "%Y-%m-%d"),
        pl.Series("ratio", [101, 71], pl.Float64),
        pl.Series("band_low", [88, 88], pl.Float64),
        pl.Series("band_high", [113, 113], pl.Float64),
        pl.Series("state", ["normal", "low"]),
      ]),
      shortfall: pl.DataFrame({ step: ["Expected", "Wind", "Actual"], energy: [62, -3, 59] }),
      longTerm: pl.DataFrame({ method: ["a", "b"], p50: [97, 98], low: [96, 96], high: [99, 99] }),
      uncertainty: {
        frames: {
          uncertainty: pl.DataFrame({ share: ["a"], standard_error: [6], of_variance: [100] }),
          exceedance: pl.DataFrame({ years: [1], p50: [97], p75: [93], p90: [90] }),
        },
      },
      proof: {
        frames: {
          periods: pl.DataFrame({
            period: ["a"],
            produced: [9],
            predicted: [9],
            low: [8],
            high: [10],
          }),
          lengths: pl.DataFrame({ months: [1, 12], year_most: [9, 3], month_most: [12, 8] }),
        },
      },
    };
    const charts: Readonly<Record<string, Chart>> = {
      plotActualAgainstPredicted: plots.plotActualAgainstPredicted(compared),
      plotAvailability: plots.plotAvailability(
        plots.measureAvailability(recorded, { predicted: model, from: 2023, to: 2023 }),
      ),
      plotBudget: plots.plotBudget(planBudget(months, { from: "2026-01" }).frames.months.head(12)),
      plotCompleteness: plots.plotCompleteness(quality.frames.completeness.filter(pl.lit(true))),
      plotCorrelation: plots.plotCorrelation(months, months.head(40), {
        xColumn: "month_index",
        yColumn: "month_abnormality_index",
      }),
      plotCoverageMap: plots.plotCoverageMap(points.head(3), { turbine: details }),
      plotFleetIndices: plots.plotFleetIndices(indices.filter(pl.lit(true))),
      plotFleetMap: plots.plotFleetMap(fleet.filter(pl.lit(true))),
      plotFleetMonth: plots.plotFleetMonth(
        plots.summarizeFleet(months, [details], { month: "2024-03" }).frames.turbines
          .filter(pl.lit(true)),
      ),
      plotIndexCalendar: plots.plotIndexCalendar(months),
      plotLongTerm: plots.plotLongTerm(byHand.longTerm),
      plotMonthlyIndices: plots.plotMonthlyIndices(months.tail(12)),
      plotPerformance: plots.plotPerformance(byHand.performance),
      plotPowerCurve: plots.plotPowerCurve(details, { points: hours.head(500) }),
      plotProof: plots.plotProof(byHand.proof),
      plotReferences: plots.plotReferences(references.frames.references.filter(pl.lit(true))),
      plotShortfall: plots.plotShortfall(byHand.shortfall),
      plotTimeSeries: plots.plotTimeSeries(hours.head(500), { columns: ["wind_speed", "power"] }),
      plotUncertainty: plots.plotUncertainty(byHand.uncertainty),
      plotWhatIf: plots.plotWhatIf({ frames: { now: months, what_if: months }, summary: [] }),
      plotWindRose: plots.plotWindRose(winds),
    };
    assertEquals(
      Object.keys(charts),
      Object.keys(plots).filter((name) => name.startsWith("plot")).sort(),
    );
    for (const [name, chart] of Object.entries(charts)) {
      const svg = await chart.svg();
      assertStringIncludes(svg, ">SYNTHETIC: ", name); // the badge
      assertMatch(chart.altText, /^SYNTHETIC: /, name);
    }
  });

  it("M1: reports an unstated source in tables and files, and marks it as well", async () => {
    const frame = pl.DataFrame({ a: [1, 2] });
    const line = "Source: not stated. SYNTHETIC figures of the sample were used in this process";
    assertMatch(table(frame).text(), /^SYNTHETIC: /);
    assertStringIncludes(table(frame).text(), line);
    const path = `${folder}/by_hand.csv`;
    await saveFrame(frame, path);
    assertMatch(await Deno.readTextFile(path), /^# SYNTHETIC: source not stated/);
    assertStringIncludes(await Deno.readTextFile(`${path}-metadata.json`), line);
    assertMarked(await readFrame(path), "saved without a source");
    await Deno.remove(`${path}-metadata.json`);
    assertMarked(await readFrame(path), "without its metadata");
  });

  it("V5: does not mark a user's own file", async () => {
    const path = `${folder}/own.csv`;
    await Deno.writeTextFile(path, "a,b\n1,2\n");
    const frame = (await readFrame(path)).filter(pl.lit(true));
    assertEquals(provenance(frame).map(({ world }) => world), ["own"]);
    assert(!table(frame).text().includes("SYNTHETIC"));
  });
});
