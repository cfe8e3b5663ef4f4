import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { FRAME_METHODS } from "../../../src/frames/origin/follow_methods.ts";
import {
  describeFrame,
  type Provenance,
  provenance,
  withProvenance,
} from "../../../src/frames/origin/provenance.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { column } from "../_text.ts";

const model: Provenance = {
  operation: "model_data",
  parameters: { turbine_id: "T1" },
  fetchedAt: "2026-01-01T00:00:00Z",
  sha256: ["ab"],
  world: "live",
  attribution: ["Copernicus"],
};
const prices: Provenance = { ...model, operation: "readFrame", world: "own", attribution: ["EEX"] };

const declared = [column("power", "f64"), column("id", "utf8")];

function buildPower(): DataFrame {
  const values = { id: ["a", "a", "b"], power: [1.5, 2, 3], more: [1, 2, 4] };
  return describeFrame(pl.DataFrame(values), declared, model);
}

const numbers = () => describeFrame(pl.DataFrame({ a: [1.5, 2], b: [3, 4] }), [], model);
const nested = () =>
  describeFrame(pl.DataFrame({ id: ["a", "b"], list: [[1, 2], [3]] }), [], model);
const structs = () =>
  describeFrame(pl.DataFrame([pl.DataFrame({ a: [1] }).toStruct("s")]), [], model);

function buildHours(zone?: string): DataFrame {
  const time = pl.Series("time", BigInt64Array.of(0n, 3_600_000_000n) as never, pl.Int64)
    .cast(pl.Datetime("us", zone as never));
  return describeFrame(pl.DataFrame([time, pl.Series("v", [1, 2])]), [], model);
}

const sources = (of: object) => provenance(of).map(({ operation }) => operation);
const one = pl.lit(1);

/** A call of every method. */
const CALLS: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(
    ("add sub div mul rem plus minus divideBy multiplyBy modulo").split(" ").map((name) => [
      name,
      () => (numbers() as unknown as Record<string, (by: number) => DataFrame>)[name](2),
    ]),
  ),
  clear: () => buildPower().clear(),
  clone: () => buildPower().clone(),
  count: () => buildPower().count(),
  describe: () => numbers().describe(),
  drop: () => buildPower().drop("id"),
  dropNulls: () => buildPower().dropNulls(),
  explode: () => nested().explode("list"),
  extend: () => buildPower().extend(buildPower()),
  fillNull: () => numbers().fillNull("zero"),
  filter: () => buildPower().filter(pl.col("power").gt(one)),
  gatherEvery: () => buildPower().gatherEvery(2),
  groupBy: () => buildPower().groupBy("id").agg(pl.col("power").sum()),
  groupByDynamic: () =>
    buildHours("UTC").groupByDynamic({ indexColumn: "time", every: "1h" }).agg(pl.col("v").sum()),
  groupByRolling: () =>
    buildHours("UTC").groupByRolling({ indexColumn: "time", period: "2h" }).agg(pl.col("v").sum()),
  head: () => buildPower().head(1),
  hstack: () => buildPower().hstack([pl.Series("x", [1, 2, 3])]),
  interpolate: () => numbers().interpolate(),
  join: () => buildPower().join(buildPower(), { on: "more" }),
  joinAsof: () => buildHours("UTC").joinAsof(buildHours("UTC"), { on: "time" }),
  lazy: () => buildPower().lazy().collectSync(),
  limit: () => buildPower().limit(1),
  max: () => numbers().max(),
  mean: () => numbers().mean(),
  median: () => numbers().median(),
  min: () => numbers().min(),
  nullCount: () => buildPower().nullCount(),
  partitionBy: () => buildPower().partitionBy("id")[0],
  pivot: () => buildPower().pivot("power", { index: "more", on: "id" }),
  product: () => numbers().product(),
  quantile: () => numbers().quantile(0.5),
  rechunk: () => buildPower().rechunk(),
  rename: () => buildPower().rename({ more: "x" }),
  reverse: () => buildPower().reverse(),
  sample: () => buildPower().sample({ n: 2, seed: 1 } as never),
  select: () => buildPower().select("id"),
  shift: () => buildPower().shift(1),
  shiftAndFill: () => numbers().shiftAndFill(1, 5),
  shrinkToFit: () => buildPower().shrinkToFit(),
  slice: () => buildPower().slice(1, 1),
  sort: () => buildPower().sort("power"),
  std: () => numbers().std(),
  sum: () => numbers().sum(),
  tail: () => buildPower().tail(1),
  toDummies: () => buildPower().select("id").toDummies(),
  transpose: () => numbers().transpose(),
  unique: () => buildPower().unique(),
  unnest: () => structs().unnest("s"),
  unpivot: () => buildPower().unpivot(["id"], ["power"]),
  upsample: () => buildHours("UTC").upsample("time", "30m", undefined as never, true),
  var: () => numbers().var(),
  vstack: () => buildPower().vstack(buildPower()),
  where: () =>
    (buildPower() as unknown as { where: DataFrame["filter"] }).where(
      pl.col("power").gt(one),
    ),
  withColumn: () => buildPower().withColumn(one.alias("x")),
  withColumnRenamed: () => buildPower().withColumnRenamed("more", "x"),
  withColumns: () => buildPower().withColumns(one.alias("x")),
  withRowIndex: () => buildPower().withRowIndex(),
};

/** Methods of Polars that do not return a frame. */
const OTHERS =
  ("findIdxByName fold frameEqual getColumn getColumns getColumnIndex hashRows inner insertAtIdx isDuplicated isEmpty " +
    "isUnique item map nChunks nUnique replaceAtIdx row rows serialize toDataResource toHTML toObject toRecords " +
    "toSeries toString toStruct writeAvro writeCSV writeIPC writeIPCStream writeJSON writeParquet")
    .split(" ");

/** Names of all methods of a frame. Its Proxy lists only columns, so a setter captures the frame itself. */
function listMethods(frame: DataFrame): string[] {
  const self = Symbol();
  const frames: object[] = [];
  const set = function (this: object) {
    frames.push(this);
  };
  Object.defineProperty(frame, self, { configurable: true, set });
  Reflect.set(frame, self, "");
  return Object.entries(Object.getOwnPropertyDescriptors(frames[0]))
    .filter(([, { value }]) => typeof value === "function").map(([name]) => name);
}

describe("the methods of a frame", () => {
  it("M1: are all followed, except for methods that return no frame", () => {
    assertEquals(listMethods(pl.DataFrame()).sort(), [...FRAME_METHODS, ...OTHERS].sort());
    assertEquals(Object.keys(CALLS).sort(), [...FRAME_METHODS].sort());
  });

  for (const [name, call] of Object.entries(CALLS)) {
    it(`M1: ${name}() keeps the source, once`, () => {
      const made = call() as DataFrame;
      assertEquals(pl.DataFrame.isDataFrame(made), true);
      assertEquals(provenance(made).every((source) => source === model), true);
      assertEquals(sources(made), ["model_data"]);
    });
  }

  it("U1: refuse windows that would begin on a Monday, and explain how to group months", () => {
    for (const windows of [{ every: "1mo" }, { every: "1d", period: "1y" }]) {
      for (const frame of [buildHours("UTC"), buildHours("UTC").lazy()]) {
        const error = assertThrows(
          () => (frame as DataFrame).groupByDynamic({ indexColumn: "time", ...windows }),
          ArgumentError,
        );
        assertStringIncludes(error.message, '.dt.truncate("1');
      }
    }
  });

  it("U5: describe days, too", () => {
    const days = describeFrame(
      pl.DataFrame([pl.Series("day", [0, 1, 2]).cast(pl.Int32).cast(pl.Date)]),
      [],
    );
    assertEquals(days.describe().getColumn("day").toArray().length, 5);
  });

  it("M1: keep the source through lazy frames, groups, parts and promises", async () => {
    const frame = buildPower();
    const lazy = frame.lazy().filter(pl.col("power").gt(one)).groupBy("id").agg(
      pl.col("more").sum(),
    );
    assertEquals(sources(lazy.collectSync()), ["model_data"]);
    assertEquals(sources(await lazy.collect()), ["model_data"]);
    assertEquals(sources(frame.groupBy("id").max().sort("id").head(1)), ["model_data"]);
    assertEquals(sources(frame.groupBy("id").pivot("more", "power").first()), ["model_data"]);
    const parts = frame.partitionBy("id", true, true, (part) => sources(part).join());
    assertEquals(parts, ["model_data", "model_data"]);
  });

  it("keep the declarations of columns with the same names and types", () => {
    const frame = buildPower();
    const names = (made: DataFrame) => displayOf(made)?.columns.map(({ name }) => name);
    assertEquals(names(frame.filter(pl.col("power").gt(one)).select("more", "power")), ["power"]);
    assertEquals(names(frame.rename({ power: "x" })), ["id"]);
    assertEquals(names(frame.withColumn(pl.col("power").cast(pl.Utf8))), ["id"]);
  });

  it("N7: keep the declaration of a column only if all its values are unchanged", () => {
    const frame = buildPower();
    const power = pl.col("power");
    const declaredNames = (made: unknown) =>
      displayOf(made as DataFrame)?.columns.map(({ name }) => name).join(" ");
    const calls: readonly (readonly [made: unknown, kept: string])[] = [
      [frame.select("id", power.mul(100)), "id"],
      [frame.select(pl.col("more").alias("power")), ""],
      [frame.select(pl.all()), "id power"],
      [frame.select("power").select(pl.all().mul(2)), ""],
      [frame.withColumn(power.div(1000)), "id"],
      [frame.withColumns(power.mul(2).alias("x"), pl.col("more").add(power)), "id power"],
      [frame.withColumns(pl.Series("power", [1.5, 2.5, 3.5])), "id"],
      [frame.lazy().withColumn(power.div(1000)).filter(power.gt(one)).collectSync(), ""],
      [frame.groupBy("id").agg(power.mean()), ""],
      [frame.lazy().filter(power.gt(one)).sort("power").collectSync(), ""],
      [frame.withColumn(power.div(1000).mul(1000)), "id power"],
      [frame.withColumn(power.fillNull("mean")), "id power"],
      [frame.groupBy("id").sum(), ""],
      [frame.select("power").std(), ""],
      [frame.select("power").sum(), ""],
      [frame.select("power").max(), ""],
      [frame.select("power").describe(), ""],
      [frame.rename({ power: "x", more: "power" }), "id"],
    ];
    assertEquals(calls.map(([made]) => declaredNames(made)), calls.map(([, names]) => names));
  });

  it("list two calls that received the same body at the same time as one, with the notes of both", () => {
    const build = (from: Provenance) => describeFrame(pl.DataFrame({ a: [1] }), [], from);
    const repeated = build({ ...model, notes: ["of the cache"] });
    const stacked = build({ ...model }).vstack(repeated).vstack(
      build({ ...model, sha256: ["cd"] }),
    );
    assertEquals(provenance(stacked), [{ ...model, notes: ["of the cache"] }, {
      ...model,
      sha256: ["cd"],
    }]);
  });

  it("M2: do not declare a column by a column of that name in another frame", () => {
    const undeclared = describeFrame(
      pl.DataFrame({ id: ["a", "b"], power: [0.1, 0.2] }),
      [],
      prices,
    );
    for (
      const made of [
        undeclared.join(buildPower(), { on: "id" }),
        undeclared.vstack(buildPower().drop("more")),
      ]
    ) {
      assertEquals(displayOf(made)?.columns, []);
    }
  });

  it("M2: list the sources of both sides of a join, and of frames that are stacked", () => {
    const production = describeFrame(
      pl.DataFrame({ id: ["a", "b"], price: [50, 60] }),
      [column("price", "f64")],
      prices,
    );
    const joined = buildPower().join(production, { on: "id" });
    assertEquals(sources(joined), ["model_data", "readFrame"]);
    assertEquals(displayOf(joined)?.columns.map(({ name }) => name), ["id", "power", "price"]);
    const caption = displayOf(joined)?.caption.join("\n") ?? "";
    for (const text of ["model_data from live", "readFrame from own", "Copernicus", "EEX"]) {
      assertStringIncludes(caption, text);
    }
    const lazy = buildPower().lazy().join(production.lazy(), { on: "id" }).collectSync();
    assertEquals(sources(lazy), ["model_data", "readFrame"]);
    const [above, below] = [buildPower(), describeFrame(buildPower().clone(), [], prices)];
    assertEquals(sources(above.vstack(below)), ["model_data", "readFrame"]);
    above.extend(below);
    assertEquals([above.height, sources(above)], [6, ["model_data", "readFrame"]]);
  });

  it("change a frame in place as before, and still pass as frames for Polars", () => {
    const frame = buildPower();
    frame.columns = ["id", "power", "other"];
    frame.insertAtIdx(0, pl.Series("first", [1, 2, 3]));
    assertEquals(frame.columns, ["first", "id", "power", "other"]);
    assertEquals(frame.shrinkToFit(true as never), undefined as never);
    assertEquals(pl.concat([buildPower(), buildPower()]).height, 6);
    assertEquals(sources(pl.concat([buildPower(), buildPower()])), ["model_data"]);
    const joined = pl.concat([buildPower(), pl.DataFrame({ x: [1, 2, 3] })], { how: "horizontal" });
    assertEquals(sources(joined), []);
    assertEquals(sources(withProvenance(joined, buildPower(), numbers())), ["model_data"]);
    assertEquals(pl.DataFrame({ id: ["a"] }).join(buildPower(), { on: "id" }).height, 2);
  });

  it("work if columns have the names of methods", () => {
    const frame = describeFrame(
      pl.DataFrame({ filter: [1, 2], columns: [3, 4], dtypes: [5, 6] }),
      [],
      model,
    );
    assertEquals(sources(frame.head(1)), ["model_data"]);
    const hidden = describeFrame(pl.DataFrame({ withColumns: [1] }), [], model);
    assertEquals(hidden.head(1).height, 1);
  });
});
