/**
 * Follows the advice of messages about calls and frames: presets, turbines, steps and hours, periods, and saved frames.
 *
 * @module
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { readFrame, readProduction, saveFrame, selectPeriod, toHours } from "../../mod.ts";
import { buildDatetimes } from "../../src/frames/frame.ts";
import { readMonths, readNumbers, readStamps } from "../../src/frames/read_columns.ts";
import { greenbyteFile, tenMinutes } from "./presets/_files.ts";
import { listColumn } from "./_text.ts";

/** A call, a part of its message, and the corrected call with its result. */
interface CallCase {
  readonly says: string;
  readonly call: () => unknown;
  readonly then: () => unknown;
  readonly gives?: unknown;
}

function followCalls(cases: readonly CallCase[]): void {
  for (const { says, call, then, gives } of cases) {
    it(`SI4 ${says}`, async () => {
      const { message } = await assertRejects(async () => await call(), Error);
      assertStringIncludes(message, says);
      const result = await then();
      if (gives !== undefined) assertEquals(result, gives);
    });
  }
}

const START = Date.UTC(2023, 4, 1);

/** Powers that count up, some minutes apart. */
const steps = (minutes: number, count: number, zone: "UTC" | null = "UTC"): DataFrame => {
  const epochs = Float64Array.from({ length: count }, (_, i) => START + i * minutes * 60_000);
  const time = buildDatetimes("time", epochs, "UTC");
  return pl.DataFrame([
    zone === null ? time.cast(pl.Datetime("us")) : time,
    pl.Series("power", Array.from({ length: count }, (_, i) => i)),
  ]);
};

const powers = (frame: DataFrame) => listColumn(frame, "power");

describe("advice about calls", () => {
  let folder = "";
  const file = (name: string) => `${folder}/${name}`;
  const rows = tenMinutes("2023-05-01 00:00:00", ["1", "2"]);
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const write = (name: string, content: Uint8Array) => Deno.writeFile(file(name), content);
    await write("g.csv", greenbyteFile({ rows }));
    await write("bare.csv", greenbyteFile({ rows, turbine: null }));
    const text = "time,T,kW\n2023-05-01T00:00Z,A,1\n2023-05-01T00:00Z,B,2\n";
    await Deno.writeTextFile(file("long.csv"), text);
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const long = {
    column: "kW",
    time: "time",
    resolution: "hour",
    unit: "kW",
    turbine: "T",
  } as const;
  const read = async (name: string, how: Parameters<typeof readProduction>[1]) =>
    powers(await readProduction(file(name), how));
  followCalls([
    {
      says: "the list is empty. Name at least one file",
      call: () => readProduction([], "greenbyte"),
      then: async () => powers(await readProduction([file("g.csv")], "greenbyte")),
      gives: [1, 2],
    },
    {
      says: "no file matches this pattern. Check the folder",
      call: () => read("x*.csv", "greenbyte"),
      ...{ then: () => read("g*.csv", "greenbyte"), gives: [1, 2] },
    },
    {
      says: "the timestamps are in UTC",
      call: () => read("g.csv", { preset: "greenbyte", time_zone: "Europe/London" }),
      ...{ then: () => read("g.csv", { preset: "greenbyte" }), gives: [1, 2] },
    },
    {
      says: "the lines above the table already name the turbine. Omit this field",
      call: () => read("g.csv", { preset: "greenbyte", turbine: "T" }),
      ...{ then: () => read("g.csv", { preset: "greenbyte" }), gives: [1, 2] },
    },
    {
      says: 'Name the turbine yourself, for example "column": { "T1": "Power (kW)" }',
      call: () => read("bare.csv", "greenbyte"),
      then: () => read("bare.csv", { preset: "greenbyte", column: { T1: "Power (kW)" } }),
      gives: [1, 2],
    },
    {
      says: '"column" must not name one. Give column: "Power (kW)", turbines: {"T1":"Kelmarsh 1"}',
      call: () => read("g.csv", { preset: "greenbyte", column: { T1: "Power (kW)" } }),
      then: () =>
        read("g.csv", {
          preset: "greenbyte",
          column: "Power (kW)",
          turbines: { T1: "Kelmarsh 1" },
        }),
      gives: [1, 2],
    },
    {
      says:
        `It has "A", "B". Give the name that the file uses for the turbine: "turbines": {"T9":"A"}`,
      call: () => read("long.csv", { ...long, turbines: { T9: "WTG 9" } }),
      ...{ then: () => read("long.csv", { ...long, turbines: { T9: "A" } }), gives: [1] },
    },
    {
      says: "minShare is 2. Give a share from 0 to 1",
      call: () => toHours(steps(10, 6), { minShare: 2 }),
      ...{ then: () => powers(toHours(steps(10, 6), { minShare: 1 })), gives: [2.5] },
    },
    {
      says: "it has only one row, so its step is unknown. Give more rows",
      call: () => toHours(steps(10, 1)),
      ...{ then: () => powers(toHours(steps(10, 6))), gives: [2.5] },
    },
    {
      says: "its steps of 7 minutes do not fill an hour. Give steps of 5, 10, 15 or 30",
      call: () => toHours(steps(7, 12)),
      ...{ then: () => powers(toHours(steps(15, 4))), gives: [1.5] },
    },
    {
      says: 'Rename the column with the timestamps to "time"',
      call: () => selectPeriod(steps(60, 3).rename({ time: "stamp" }), { from: "2023-05-01" }),
      then: () => powers(selectPeriod(steps(60, 3), { from: "2023-05-01" })),
      gives: [0, 1, 2],
    },
    {
      says: "or add a zone with dt.replaceTimeZone()",
      call: () => selectPeriod(steps(60, 3, null), {}),
      then: () =>
        powers(
          selectPeriod(steps(60, 3, null).withColumn(pl.col("time").dt.replaceTimeZone("UTC")), {}),
        ),
      gives: [0, 1, 2],
    },
    {
      says: 'Convert it with pl.col("x").cast(pl.Float64)',
      call: () => readNumbers(pl.DataFrame({ x: ["1", "2"] }), "x", refuse),
      then: () => [
        ...readNumbers(
          pl.DataFrame({ x: ["1", "2"] }).withColumn(pl.col("x").cast(pl.Float64)),
          "x",
          refuse,
        ),
      ],
      gives: [1, 2],
    },
    {
      says: "beyond 2^53, digits would be lost. Choose a larger unit",
      call: () => readNumbers(large, "x", refuse),
      then: () => [...readNumbers(large.withColumn(pl.col("x").div(1000)), "x", refuse)],
      gives: [9007199254741],
    },
    {
      says: 'Convert it with pl.col("time").cast(pl.Date)',
      call: () => readMonths(steps(60, 1), "time", refuse),
      then: () => readMonths(steps(60, 1).withColumn(pl.col("time").cast(pl.Date)), "time", refuse),
      gives: [2023 * 12 + 4],
    },
    {
      says: 'Convert it with pl.col("x").str.strptime(pl.Date, "%Y-%m-%d")',
      call: () => readMonths(pl.DataFrame({ x: ["2023-05-01"] }), "x", refuse),
      then: () =>
        readMonths(
          pl.DataFrame({ x: ["2023-05-01"] }).withColumn(
            pl.col("x").str.strptime(pl.Date, "%Y-%m-%d"),
          ),
          "x",
          refuse,
        ),
      gives: [2023 * 12 + 4],
    },
    {
      says: "but 1 of 2 rows have no value. Remove those rows",
      call: () => readStamps(steps(60, 2).withColumn(pl.col("time").shift(1)), "time", refuse),
      then: () =>
        readStamps(steps(60, 2).withColumn(pl.col("time").shift(1)).dropNulls(), "time", refuse)
          .epochs.length,
      gives: 1,
    },
    {
      says: "its name does not end in .parquet or .csv. Choose a name with one of these endings",
      call: () => saveFrame(steps(60, 2), file("a.xls")),
      then: () => saveAndRead("a.csv"),
      gives: [0, 1],
    },
    {
      says: '"safe", "decimal" and "bom" apply only to CSV. Omit them, or save the frame as .csv',
      call: () => saveFrame(steps(60, 2), file("b.parquet"), { bom: true }),
      ...{ then: () => saveAndRead("b.parquet"), gives: [0, 1] },
    },
    {
      says: "Save the frame as .parquet, or leave the column out",
      call: () => saveFrame(pl.DataFrame({ list: [[1]], power: [5] }), file("c.csv")),
      then: async () => {
        const frame = pl.DataFrame({ list: [[1]], power: [5] });
        await saveFrame(frame, file("c.parquet"));
        await saveFrame(frame.drop("list"), file("c.csv"));
        return [powers(await readFrame(file("c.parquet"))), powers(await readFrame(file("c.csv")))];
      },
      gives: [[5], [5]],
    },
    {
      says: "a text contains a NUL character. Save the frame as .parquet",
      call: () => saveFrame(pl.DataFrame({ x: ["a\0"] }), file("d.csv")),
      then: async () => {
        await saveFrame(pl.DataFrame({ x: ["a\0"] }), file("d.parquet"));
        return listColumn(await readFrame(file("d.parquet")), "x");
      },
      gives: ["a\0"],
    },
    {
      says: "it is not valid JSON",
      call: async () => {
        await saveFrame(steps(60, 2), file("e.csv"));
        await Deno.writeTextFile(file("e.csv-metadata.json"), "{");
        await readFrame(file("e.csv"));
      },
      then: async () => {
        await Deno.remove(file("e.csv-metadata.json"));
        return powers(await readFrame(file("e.csv")));
      },
      gives: [0, 1],
    },
  ]);

  async function saveAndRead(name: string) {
    await saveFrame(steps(60, 2), file(name));
    return powers(await readFrame(file(name)));
  }
});

const large = pl.DataFrame({ x: ["9007199254741000"] }).withColumn(pl.col("x").cast(pl.Int64));

function refuse(problem: string): never {
  throw new Error(problem);
}
