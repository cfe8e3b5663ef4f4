import pl from "nodejs-polars";
import { modelDataCsv, time } from "../../api/columns/columns.ts";
import { parquetToFrame } from "./series.ts";
import { writeAtomically } from "../../disk/atomic_write.ts";
import type { Files } from "./files.ts";

/** The CSV of a turbine's whole hourly model, on disk. */
export interface ModelCsv {
  /** Name of the CSV among the files. */
  readonly name: string;
  /** Position of each row's first byte, and of the end. */
  readonly offsets: Uint32Array;
  /** First stamp, milliseconds since 1970 UTC. */
  readonly start: number;
}

/** Stored behind the offsets: the first stamp, in two halves of 32 bits. */
const STAMP_WORDS = 2;

/** Names of the CSV of a model in a zone, and of the file with the positions of its rows. */
function namesOf(model: string, timeZone: string): { csv: string; rows: string } {
  const stem = `${model}.${timeZone.replaceAll("/", "-")}`;
  return { csv: `${stem}.csv`, rows: `${stem}.rows` };
}

/**
 * Opens the CSV of a turbine's hourly model, where it is rendered.
 *
 * @param files Files of the data directory
 * @param model Name of the model's file
 * @param timeZone Zone of the stamps
 * @returns `undefined` where it must be rendered
 */
export async function openModelCsv(
  files: Files,
  model: string,
  timeZone: string,
): Promise<ModelCsv | undefined> {
  const { csv, rows } = namesOf(model, timeZone);
  try {
    // The rows are written last: where they exist the CSV is complete.
    const words = new Uint32Array((await Deno.readFile(files.path(rows))).buffer);
    const high = words[words.length - 2] | 0; // signed: records may begin before 1970
    return {
      name: csv,
      offsets: words.subarray(0, words.length - STAMP_WORDS),
      start: high * 2 ** 32 + words[words.length - 1],
    };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Renders the CSV of a turbine's hourly model, which is stored beside the model.
 *
 * @param files Files of the data directory
 * @param model Name of the model's file
 * @param timeZone Zone of the stamps
 */
export async function renderModelCsv(
  files: Files,
  model: string,
  timeZone: string,
): Promise<void> {
  const names = namesOf(model, timeZone);
  const frame = parquetToFrame(await files.read(model));
  const rounded = frame.select(
    pl.col(time.name).cast(pl.Datetime("us", timeZone)),
    ...modelDataCsv.filter(({ name }) => name !== time.name)
      .map(({ name, decimals = 3 }) => pl.col(name).round(decimals)),
  );
  const csv = rounded.writeCSV(
    { datetimeFormat: "%Y-%m-%dT%H:%M:%S%:z" } as never,
  ) as unknown as Uint8Array;
  const words = new Uint32Array(frame.height + 1 + STAMP_WORDS);
  let row = 0;
  for (let i = csv.indexOf(10); i !== -1; i = csv.indexOf(10, i + 1)) words[row++] = i + 1;
  const start = Number(
    (frame.getColumn(time.name).cast(pl.Int64).head(1).toTypedArray() as BigInt64Array)[0] / 1000n,
  );
  words[words.length - 2] = Math.floor(start / 2 ** 32);
  words[words.length - 1] = start >>> 0;
  await writeAtomically(files.path(names.csv), csv);
  await writeAtomically(files.path(names.rows), new Uint8Array(words.buffer));
}
