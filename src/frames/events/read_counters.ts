import pl, { type DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { formatCell, refuseCell } from "../cells/cell_table.ts";
import { NumberCells } from "../cells/number_cells.ts";
import { readStampCells } from "../cells/stamp_cells.ts";
import { readCells } from "../cells/read_cells.ts";
import { buildDatetimes, buildNumbers } from "../frame.ts";
import type { CountersLayout } from "../presets/preset.ts";
import { refuseFile } from "../refuse_file.ts";

/**
 * Reads counters of states.
 *
 * @returns A row for each period and turbine of the file, in its order
 * @throws {DataFormatError} If a cell is not what its column has; the message names it
 */
export async function readCounters(
  bytes: Uint8Array,
  file: string,
  { time, turbine, step, columns }: CountersLayout,
): Promise<DataFrame> {
  const names = Object.keys(columns);
  const table = await readCells(bytes, file, {}, [time, turbine, ...Object.values(columns)]);
  const ends = readStampCells(table, 1, { time_zone: "UTC", passRule: "copies" });
  const odd = ends.findIndex((end) => end % step !== 0);
  if (odd !== -1) {
    const found = `it is not the end of a period of ${step / 60_000} minutes`;
    refuseCell(table, odd, 0, found, { code: "resolution" });
  }
  const ids = table.columns[1].cells.map((cell, row) => {
    const id = formatCell(cell);
    return id === "" ? refuseCell(table, row, 1, "it names no turbine", { field: "turbine" }) : id;
  });
  const numbers = new NumberCells(table, {});
  const read = names.map((name, i) => {
    const seconds = numbers.read(i + 2);
    const below = seconds.findIndex((value) => value < 0);
    if (below !== -1) refuseCell(table, below, i + 2, `${seconds[below]} s is not a time`);
    return buildNumbers(name, seconds);
  });
  return pl.DataFrame([
    pl.Series(turbineId.name, ids, pl.Utf8),
    buildDatetimes("from", ends.map((end) => end - step)),
    buildDatetimes("to", ends),
    ...read,
  ]);
}

/**
 * Joins the counters of files in the order of turbine and time; equal rows of two files are counted once.
 *
 * @returns The frame, and what was merged, is missing or is more than its period, in sentences
 * @throws {DataFormatError} If two rows of a turbine and time have different values
 */
export function joinCounters(
  parts: readonly DataFrame[],
  files: string,
  { step, columns }: CountersLayout,
): { readonly frame: DataFrame; readonly notes: readonly string[] } {
  const all = pl.concat([...parts]);
  const keys = [turbineId.name, "from"];
  const frame = all.unique().sort(keys);
  const twice = frame.groupBy(...keys).agg(pl.count("to").alias("count"))
    .filter(pl.col("count").gt(1)).sort(keys);
  if (twice.height > 0) {
    const [id, from] = twice.select(pl.col(keys[0]), pl.col("from").cast(pl.Utf8)).row(0);
    const found = `turbine ${id} has two rows of ${from} with different values`;
    refuseFile(files, `${found}. Leave out the rows that are wrong`, { code: "values_differ" });
  }
  const count = (of: (name: string) => number) =>
    Object.keys(columns).reduce((sum, name) => sum + of(name), 0);
  const notes: readonly (readonly [number, string])[] = [
    [
      all.height - frame.height,
      "rows are in two files, or twice in one, with equal values: counted once",
    ],
    [count((name) => frame.getColumn(name).nullCount()), "times are missing"],
    [
      count((name) => frame.filter(pl.col(name).gt(step / 1000)).height),
      "times are longer than their period, as the files have them",
    ],
  ];
  return { frame, notes: notes.filter(([found]) => found > 0).map((note) => note.join(" ")) };
}
