/**
 * docs/export.md: its columns are those that are declared, and its examples read an export.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { describeWithS3 } from "../_s3.ts";
import type { Dtype } from "../../src/api/columns/column.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { exportParquet, writeExport } from "../../src/machines/export/export_parquet.ts";
import { openTarget } from "../../src/machines/export/open_target.ts";
import { hoursTable, indicesTable } from "../../src/machines/export/export_tables.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import { parquetToFrame } from "../../src/sites/keep/series.ts";
import { runPeer, whyWithout } from "../peers/_venv.ts";
import { putFleetSite } from "../machines/export/_fleet.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

const page = await Deno.readTextFile(new URL("../../docs/export.md", import.meta.url));

/** How the page calls a type. */
const typeNames: Partial<Record<Dtype, string>> = {
  utf8: "text",
  date: "date",
  f64: "double",
  i32: "int32",
  datetime: "timestamp",
};

/** The text of the blocks of a language. */
function blocksOf(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))]
    .map(([, block]) => block);
}

describe("docs/export.md", () => {
  for (const { name, columns } of [indicesTable, hoursTable]) {
    it(`has the columns of ${name} as they are declared`, () => {
      const [, section] = page.split(`### \`${name}\`\n`);
      const rows = section.split("\n\n")[1].split("\n").slice(2).map((row) =>
        row.split("|").slice(1, -1).map((cell) => cell.trim())
      );
      assertEquals(rows.at(-1)?.slice(0, 2), ["`year`", "folder"]);
      assertEquals(
        rows.slice(0, -1),
        columns.map(({ name, dtype, unit = "", description }) => [
          `\`${name}\``,
          typeNames[dtype],
          unit,
          description.replace(/\.$/, ""), // a fragment in a cell has no final stop
        ]),
      );
    });
  }
});

const why = whyWithout("duckdb", "polars", "pyarrow");
const group = why ? describe.ignore : describe;

group(`the examples of docs/export.md${why ? ` (${why})` : ""}`, () => {
  let folder: string;
  let energy: number; // MWh

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const { store, files } = await openStorage(`${folder}/data`, { create: true });
    const site = { site: "a", ids: ["T1", "T2"], from: "2023-01-01T00", to: "2025-01-01T00" };
    await putFleetSite({ store, files }, site);
    const { modelFile } = (await sitesOf(store).turbine("T1"))!;
    const power = extractNumbers(parquetToFrame(await files.read(modelFile!)), "power");
    energy = power.slice(0, 8760).reduce((sum, one) => Number.isNaN(one) ? sum : sum + one, 0) /
      1e3;
    await store.close();
    for (const what of ["hours", "indices"] as const) {
      await exportParquet(`${folder}/data`, `${folder}/lake`, { what });
    }
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  /** Runs a program in the folder of the export, and reads the JSON that it prints. */
  async function run(program: string, env: Readonly<Record<string, string>> = {}) {
    const { code, out, err } = await runPeer("python", {
      args: ["-c", program],
      cwd: folder,
      env,
    });
    assertEquals(code, 0, err.slice(-3000));
    return JSON.parse(out);
  }

  it("in Python find the energy of a turbine and year", async () => {
    const lines = ["print(json.dumps([energy, one['power'].to_pandas().sum() / 1000, same]))"];
    const [program] = blocksOf("python");
    const sums = await run([program, ...lines].join("\n")) as number[];
    assertEquals(sums.length, 3);
    for (const sum of sums) assertAlmostEquals(sum, energy, 1e-3);
  });

  describeWithS3("in Python from an object store", (server) => {
    it("find the same energy", async () => {
      const { address, environment } = server();
      using target = await openTarget(`${address}/lake`, (name) => environment[name]);
      await using data = await openStorage(`${folder}/data`);
      await writeExport(data, target, hoursTable);
      const line = "print(json.dumps([energy, one['power'].to_pandas().sum() / 1000]))";
      const [, program] = blocksOf("python");
      const bucketProgram = program.replaceAll(
        "wind/lake",
        `${address.slice("s3://".length)}/lake`,
      );
      const sums = await run(`${bucketProgram}\n${line}`, environment) as number[];
      assertEquals(sums.length, 2);
      for (const sum of sums) assertAlmostEquals(sum, energy, 1e-3);
    });
  });

  it("in SQL find the indices of a turbine by year", async () => {
    const [sql] = blocksOf("sql");
    const years = await run(
      `import duckdb, json\n*first, last = ${JSON.stringify(sql.replaceAll("/lake/", "lake/"))}` +
        ".strip().rstrip(';').split(';')\nfor one in first: duckdb.sql(one)\n" +
        "print(json.dumps(duckdb.sql(last).fetchall()))",
    ) as [number, number][];
    assertEquals(years.map(([year]) => year), [2023, 2024]);
  });

  it("by folder find the same rows, as long as there was one export", async () => {
    const [rows] = await run(
      "import duckdb, json\nprint(json.dumps(duckdb.sql(" +
        `"SELECT count(*) FROM read_parquet('lake/hours/*/*.parquet')").fetchall()[0]))`,
    ) as [number];
    assertEquals(rows, 2 * (8760 + 8784));
  });
});
