import pl from "nodejs-polars";
import { modelDataCsv, time } from "../../api/columns/columns.ts";
import { parquetToFrame } from "./series.ts";
import { writeAtomically } from "../../disk/atomic_write.ts";
import type { Files } from "./files.ts";

/** The CSV of a turbine's whole hourly model, on disk. */
export interface ModelCsv {
  /** Path of the CSV. */
  readonly path: string;
  /** Position of each row's first byte, and of the end. */
  readonly offsets: Uint32Array;
  /** First stamp, milliseconds since 1970 UTC. */
  readonly start: number;
  /** Whether it was rendered for this request. */
  readonly fresh: boolean;
}

/** Stored behind the offsets: the first stamp, in two halves of 32 bits. */
const STAMP_WORDS = 2;

/** Renderings under way by path: concurrent requests for the same CSV wait for one rendering. */
const underWay = new Map<string, Promise<ModelCsv>>();

/**
 * Opens the CSV of a turbine's hourly model; it is rendered at its first use and stored beside the model.
 *
 * @param files Files of the data directory
 * @param model Name of the model's file
 * @param timeZone Zone of the stamps
 */
export async function openModelCsv(
  files: Files,
  model: string,
  timeZone: string,
): Promise<ModelCsv> {
  const stem = `${model}.${timeZone.replaceAll("/", "-")}`;
  const path = files.path(`${stem}.csv`);
  const rows = files.path(`${stem}.rows`);
  // The rows are written last: where they exist the CSV is complete.
  const known = await Deno.readFile(rows).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (known) return buildModelCsv(path, new Uint32Array(known.buffer), false);
  let rendering = underWay.get(path);
  if (!rendering) {
    rendering = render(files, model, timeZone, path, rows)
      .finally(() => underWay.delete(path));
    underWay.set(path, rendering);
  }
  return await rendering;
}

async function render(
  files: Files,
  model: string,
  timeZone: string,
  path: string,
  rows: string,
): Promise<ModelCsv> {
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
  await writeAtomically(path, csv);
  await writeAtomically(rows, new Uint8Array(words.buffer));
  return buildModelCsv(path, words, true);
}

function buildModelCsv(path: string, words: Uint32Array, fresh: boolean): ModelCsv {
  const high = words[words.length - 2] | 0; // signed: records may begin before 1970
  return {
    path,
    offsets: words.subarray(0, words.length - STAMP_WORDS),
    start: high * 2 ** 32 + words[words.length - 1],
    fresh,
  };
}
