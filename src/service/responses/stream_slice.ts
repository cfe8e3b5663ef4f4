import { doInTurn } from "./do_in_turn.ts";
import { type ReaderPatience, streamParts } from "./stream_parts.ts";
import type { OpenSlice, SlicedFile } from "../../storage/files/files.ts";

const CHUNK_BYTES = 64 * 1024;

interface StreamOptions {
  /** Whose turn its parts take: a serial number. @default {""} */
  readonly turn?: string;
  /** Called when the last byte is sent, before the stream closes; not if the reader leaves. */
  readonly onEnd?: (() => Promise<void>) | undefined;
  /** Called once, however the stream ends. */
  readonly onClose?: () => void;
  /** How long to wait for readers. */
  readonly patience?: ReaderPatience;
}

/**
 * Streams a part of a file. The file is closed at the end, on failure, and when the reader leaves or stops reading for
 * too long.
 *
 * @param from First byte
 * @param to Position after the last byte
 * @throws {RangeError} If the positions are outside of the file
 */
export function streamSlice(
  file: SlicedFile,
  from: number,
  to: number,
  { turn = "", onEnd, onClose, patience }: StreamOptions = {},
): ReadableStream<Uint8Array> {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to)) {
    throw new RangeError(`Cannot read ${file.path}: ${from} to ${to} is not a range of the file`);
  }
  let slice: OpenSlice | undefined;
  let remaining = to - from;
  let notify = onClose;
  const close = () => {
    slice?.close();
    slice = undefined;
    notify?.();
    notify = undefined;
  };
  const next = async () => {
    if (remaining === 0) return void await onEnd?.();
    const source = slice ??= await file.open(from, to);
    await source.load?.();
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, remaining));
    const read = await doInTurn(turn, () => source.read(chunk));
    if (!read) throw new Error(`Cannot read ${file.path}: it ends before the requested range`);
    remaining -= read;
    return chunk.subarray(0, read);
  };
  return streamParts({ next, close }, patience);
}

/**
 * Streams bytes like a file: long answers take turns part by part.
 *
 * @param turn Whose turn its parts take: a serial number
 */
export function streamBytes(
  bytes: Uint8Array<ArrayBuffer>,
  turn: string,
): ReadableStream<Uint8Array> {
  let from = 0;
  const next = () =>
    doInTurn(turn, () => {
      const part = bytes.subarray(from, from += CHUNK_BYTES);
      return part.length > 0 ? part : undefined;
    });
  return streamParts({ next, close: () => {} });
}
