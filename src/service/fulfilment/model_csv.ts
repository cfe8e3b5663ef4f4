import pl from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { parquetToFrame } from "../../sites/keep/series.ts";
import { Sha256, sha256 } from "../../disk/hashes.ts";
import type { Files, StoredFile } from "../../storage/files/files.ts";

/** The CSV of a turbine's whole hourly model, rendered. */
export interface ModelCsv {
  readonly file: StoredFile;
  /** Position of each row's first byte, and of the end. */
  readonly offsets: Uint32Array;
  /** First timestamp, milliseconds since 1970 UTC. */
  readonly start: number;
}

/** Words after the offsets: the first timestamp, in two halves of 32 bits. */
const STAMP_WORDS = 2;

/** Length in bytes of the hash that ends the rows: of the CSV's name, its content and all bytes before the hash. */
const SEAL_BYTES = 32;

/** Largest number of CSVs whose hashes are kept: some 400 bytes for each. */
const MAX_COMPARED = 10_000;

/** Hashes of a CSV and its rows by path, from when their seal was last compared. */
const compared = new Map<string, string>();

function computeSeal(name: string, csvHash: string, words: Uint8Array): string {
  return new Sha256().update(`${name} ${csvHash} `).update(words).hex();
}

function nameStem(model: string, timeZone: string): string {
  return `${model}.${timeZone.replaceAll("/", "-")}`;
}

/**
 * Opens the CSV of a turbine's hourly model, if it is rendered and not damaged.
 *
 * @param model Name of the model's file
 * @param timeZone Zone of the timestamps
 * @returns `undefined` if it must be rendered
 */
export async function openModelCsv(
  files: Files,
  model: string,
  timeZone: string,
): Promise<ModelCsv | undefined> {
  const stem = nameStem(model, timeZone);
  const [file, rows] = await Promise.all([
    files.find(`${stem}.csv`),
    files.find(`${stem}.rows`, { content: true }),
  ]);
  if (!file || !rows) return undefined;
  const bytes = await rows.bytes();
  const end = bytes.length - SEAL_BYTES;
  if (end <= 0 || end % Uint32Array.BYTES_PER_ELEMENT !== 0) return undefined;
  const hashes = `${file.hash} ${rows.hash}`;
  if (compared.get(file.path) !== hashes) {
    const seal = computeSeal(file.name, file.hash, bytes.subarray(0, end));
    if (bytes.subarray(end).toHex() !== seal) return undefined;
    compared.set(file.path, hashes);
    if (compared.size > MAX_COMPARED) compared.delete(compared.keys().next().value!);
  }
  const words = new Uint32Array(bytes.buffer, 0, end / Uint32Array.BYTES_PER_ELEMENT);
  const high = words[words.length - 2] | 0; // signed: records may begin before 1970
  return {
    file,
    offsets: words.subarray(0, words.length - STAMP_WORDS),
    start: high * 2 ** 32 + words[words.length - 1],
  };
}

/**
 * Renders the CSV of a turbine's hourly model, and stores it next to the model.
 *
 * @param model Name of the model's file
 * @param timeZone Zone of the timestamps
 * @throws {DamagedFileError} If the model is damaged
 */
export async function renderModelCsv(
  files: Files,
  model: string,
  timeZone: string,
): Promise<void> {
  const stem = nameStem(model, timeZone);
  const frame = parquetToFrame(await files.read(model));
  const local = frame.withColumn(pl.col(time.name).cast(pl.Datetime("us", timeZone)));
  const csv = local.writeCSV(
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
  const [name, hash] = [`${stem}.csv`, sha256(csv)];
  const head = new Uint8Array(words.buffer);
  const rows = new Uint8Array(head.length + SEAL_BYTES);
  rows.set(head);
  rows.set(Uint8Array.fromHex(computeSeal(name, hash, head)), head.length);
  await files.write(name, csv);
  await files.write(`${stem}.rows`, rows);
}
