/**
 * Other engines read exports, and must get the same rows as the store has.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { modelDataCsv, monthlyIndicesFrame } from "../../src/api/columns/columns.ts";
import { toFloats } from "../../src/frames/frame.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { exportParquet } from "../../src/machines/export/export_parquet.ts";
import type { ExportName } from "../../src/machines/export/export_table.ts";
import { parquetToFrame } from "../../src/sites/keep/series.ts";
import { putFleetSite } from "../machines/export/_fleet.ts";
import { jsonOfPeer, whyWithout } from "./_venv.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** Facts by an engine: the sum of each column, and its numbers of nulls and NaN. */
interface EngineFacts {
  readonly rows: number;
  readonly turbines: number;
  /** First and last instant, seconds since 1970 UTC. */
  readonly ends: readonly number[];
  /** Type of the time. */
  readonly time: string;
  readonly columns: Readonly<Record<string, readonly [number, number, number]>>;
}

/** Output of the Python program. */
interface PeerFacts extends Readonly<Record<"duckdb" | "polars" | "pyarrow", EngineFacts>> {
  readonly pruned: Readonly<Record<"files" | "row_groups" | "all_row_groups" | "largest", number>>;
}

/** Sum, nulls and NaN of values; null is missing. */
function summarize(values: Iterable<number | null>): readonly [number, number, number] {
  let [sum, nulls] = [0, 0];
  for (const value of values) {
    if (value === null) nulls++;
    else sum += value;
  }
  return [sum, nulls, 0];
}

const ids = Array.from({ length: 20 }, (_, i) => `T${10 + i}`);

const why = whyWithout("duckdb", "polars", "pyarrow");
const group = why ? describe.ignore : describe;

group(
  why ? `exports in DuckDB, Polars and pyarrow (${why})` : "exports in DuckDB, Polars and pyarrow",
  () => {
    let folder: string;
    let directory: Storage;
    let hours: PeerFacts;

    const read = async (table: ExportName, time: string) =>
      await jsonOfPeer("read_export.py", {
        args: [`${folder}/lake`, table, time],
        cwd: folder,
      }) as PeerFacts;

    beforeAll(async () => {
      folder = await Deno.makeTempDir();
      directory = await openStorage(`${folder}/data`, { create: true });
      await putFleetSite(directory, { site: "a", ids, from: "2022-01-01T00", to: "2024-01-01T00" });
      for (const what of ["hours", "indices"] as const) {
        await exportParquet(`${folder}/data`, `${folder}/lake`, { what });
      }
      hours = await read("hours", "time");
    });
    afterAll(async () => {
      await directory.store.close();
      await Deno.remove(folder, { recursive: true });
    });

    /** Compares the facts of each engine; sums may differ by the order of addition. */
    function compare(
      facts: PeerFacts,
      expected: Omit<EngineFacts, "time">,
      types: readonly string[],
    ) {
      for (const [i, engine] of (["duckdb", "polars", "pyarrow"] as const).entries()) {
        const { columns, time, ...otherFacts } = facts[engine];
        const { columns: wanted, ...others } = expected;
        assertEquals([engine, time, otherFacts], [engine, types[i], others]);
        assertEquals(Object.keys(columns), Object.keys(wanted));
        for (const [name, [sum, nulls, nans]] of Object.entries(wanted)) {
          assertEquals([name, ...columns[name].slice(1)], [name, nulls, nans], engine);
          assertAlmostEquals(columns[name][0], sum, Math.abs(sum) * 1e-12, `${engine}: ${name}`);
        }
      }
    }

    it("have the hours that are stored, in UTC, null where there is no value", async () => {
      const values: Record<string, (number | null)[]> = { year: [] };
      for (const id of ids) {
        const { modelFile } = (await sitesOf(directory.store).turbine(id))!;
        const model = parquetToFrame(await directory.files.read(modelFile!));
        for (const { name, decimals = 3 } of modelDataCsv.slice(1)) {
          const scale = 10 ** decimals;
          (values[name] ??= []).push(...Array.from(
            toFloats(model.getColumn(name)),
            (value) => Number.isNaN(value) ? null : Math.round(value * scale) / scale,
          ));
        }
        values.year.push(...Array.from({ length: model.height }, (_, i) => i < 8760 ? 2022 : 2023));
      }
      const names = [...modelDataCsv.slice(1).map(({ name }) => name), "year"];
      compare(hours, {
        rows: 20 * 2 * 8760,
        turbines: 20,
        ends: [Date.UTC(2022, 0, 1) / 1000, Date.UTC(2023, 11, 31, 23) / 1000],
        columns: Object.fromEntries(names.map((name) => [name, summarize(values[name])])),
      }, [
        "TIMESTAMP WITH TIME ZONE",
        "Datetime(time_unit='us', time_zone='UTC')",
        "timestamp[us, tz=UTC]",
      ]);
    });

    it("have the months that are stored, null where there is no figure", async () => {
      const months = (await Promise.all(ids.map((id) => sitesOf(directory.store).months(id))))
        .flat();
      const names = [
        ...monthlyIndicesFrame.filter(({ dtype }) => dtype === "f64" || dtype === "i32")
          .map(({ name }) => name),
        "year",
      ];
      compare(await read("indices", "month"), {
        rows: 20 * 24,
        turbines: 20,
        ends: [Date.UTC(2022, 0, 1) / 1000, Date.UTC(2023, 11, 1) / 1000],
        columns: Object.fromEntries(names.map((name) => [
          name,
          summarize(months.map((month) => month[name as "month_index"])),
        ])),
      }, ["DATE", "Date", "date32[day]"]);
    });

    it("are skipped by folder and by the statistics of row groups where another turbine or year is asked for", () => {
      assertEquals(hours.pruned, { files: 1, row_groups: 1, all_row_groups: 4, largest: 131_072 });
    });
  },
);
