/**
 * Analyses of production with a part in another unit: they report it before they call it an outage, and with the unit
 * given to `readProduction()` they give the figures of the clean record.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  checkPerformance,
  checkQuality,
  compareActual,
  estimateLongTerm,
  exampleFile,
  modelData,
  monthlyIndices,
  type ProductionFormat,
  readProduction,
  type TurbineDetails,
  turbineDetails,
} from "../../mod.ts";

const HOURS = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
const MONTHS = { ...HOURS, resolution: "month", unit: "MWh" } as const;

const isIn = (time: string) => time >= "2022-04" && time < "2022-06";

describe("SI3 an analysis of production with a part in another unit", () => {
  let folder: string;
  let rows: (readonly [time: string, power: string])[];
  let predicted: DataFrame;
  let indices: DataFrame;
  let details: TurbineDetails;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const text = await Deno.readTextFile(await exampleFile("production.csv"));
    rows = text.trim().split("\n").slice(2).map((line) => line.split(",") as [string, string]);
    [predicted, indices, details] = await Promise.all([
      modelData("T1"),
      monthlyIndices("T1"),
      turbineDetails("T1"),
    ]);
  });

  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** The hours, or the energies of their months in UTC, with two months multiplied. */
  async function write(how: ProductionFormat, factor: number): Promise<string> {
    const listed = how.resolution === "hour" ? rows : [...Map.groupBy(
      rows,
      ([time]) => time.slice(0, 7),
    )].slice(1).map(([month, hours]) =>
      [month, String(hours.reduce((sum, [, power]) => sum + Number(power), 0) / 1000)] as const
    );
    const lines = listed.map(([time, value]) =>
      `${time},${value === "" || !isIn(time) ? value : Number(value) * factor}`
    );
    const path = `${folder}/${how.resolution}_${factor}.csv`;
    await Deno.writeTextFile(path, ["time,power", ...lines, ""].join("\n"));
    return path;
  }

  const analyses: readonly [
    string,
    (production: DataFrame) => { summary: readonly string[] } | DataFrame,
  ][] = [
    ["checkPerformance()", (one) => checkPerformance(one, { predicted, indices, details })],
    ["estimateLongTerm()", (one) => estimateLongTerm(one, indices, { details })],
    [
      "compareActual()",
      (one) => compareActual(one, one.columns[0] === "time" ? predicted : indices),
    ],
  ];
  const cases = [
    [HOURS, 0.001, "MW"],
    [HOURS, 1000, "W"],
    [MONTHS, 0.001, "GWh"],
    [MONTHS, 1000, "kWh"],
  ] as const;
  const figures = (result: ReturnType<typeof analyses[number][1]>) =>
    "summary" in result
      ? result.summary
      : result.toRecords().map(({ produced, ratio }) =>
        `${Number(produced).toFixed(6)} ${Number(ratio).toFixed(6)}`
      );
  /** Frames of a file, read once for all analyses. */
  const frames = new Map<string, Promise<DataFrame>>();
  const read = (path: string, how: ProductionFormat): Promise<DataFrame> => {
    const key = `${path} ${JSON.stringify(how)}`;
    return frames.getOrInsertComputed(key, () => readProduction(path, how));
  };
  /** Figures of an analysis of the clean record. */
  const cleanFigures = new Map<string, Promise<readonly string[]>>();
  const messageOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  for (const [name, analyse] of analyses) {
    for (const [how, factor, unit] of cases) {
      it(`SI3 is refused by ${name} if two months of ${how.resolution}s are in ${unit}, until readProduction() knows`, async () => {
        const path = await write(how, factor);
        const mixed = await read(path, how);
        const message = messageOf(() => analyse(mixed));
        assertMatch(
          message,
          factor > 1
            ? /^Cannot .*: 2022-04 to 2022-05 \(.*\) are about 1000 times too large, and the rest is not/
            : /^Cannot .*: 2022-04 to 2022-05 \(.*\) are about 1000 times too small, and the rest is not/,
        );
        const [, given] = /"other_units": (\[.*?\])/.exec(message)!;
        const units = (JSON.parse(given) as { from: string; to: string }[])
          .map((one) => ({ ...one, unit }));
        const corrected = await read(path, { ...how, other_units: units });
        const clean = cleanFigures.getOrInsertComputed(
          `${name} ${how.resolution}`,
          async () => figures(analyse(await read(await write(how, 1), how))),
        );
        assertEquals(figures(analyse(corrected)), await clean);
      });
    }
  }

  it("SI3 is no standstill for checkQuality(), with model data and without", async () => {
    for (const factor of [0.001, 1000]) {
      const mixed = await read(await write(HOURS, factor), HOURS);
      const clean = await read(await write(HOURS, 1), HOURS);
      for (const options of [{}, { predicted }]) {
        const [problems, usual] = [mixed, clean].map((one) =>
          checkQuality(one, { ratedPower: details.rated_power!, ...options }).frames.problems
            .toRecords()
        );
        const mixedUnits = problems.filter(({ kind }) => kind === "mixed_units");
        assertEquals(mixedUnits.map(({ hours }) => hours), [1464]);
        assertMatch(
          String(mixedUnits[0].message),
          factor > 1
            ? /^values about 1000 times too large compared with the others: probably kW read as MW$/
            : /^values about 1000 times too small compared with the others: probably MW read as kW$/,
        );
        const still = (rows: typeof problems) =>
          rows.filter(({ kind }) => kind !== "mixed_units" && kind !== "gap").length;
        assert(still(problems) <= still(usual));
      }
    }
    const months = checkQuality(await readProduction(await write(MONTHS, 1000), MONTHS), {
      ratedPower: details.rated_power!,
    });
    assertEquals(months.frames.problems.getColumn("kind").toArray(), ["mixed_units"]);
  });
});
