import type { OpenSlice, SlicedFile } from "../../storage/files/sliced_file.ts";
import { readInTurn } from "./read_in_turn.ts";
import { ReaderWatch, type ReaderWatchOptions } from "./reader_watch.ts";

const CHUNK_BYTES = 64 * 1024;

interface StreamOptions {
  /** Whose turn its parts take: a serial number. @default {""} */
  readonly turn?: string;
  /** Called when the last byte is sent, before the stream says so; not where the reader goes away. */
  readonly onEnd?: (() => Promise<void>) | undefined;
  /** Called once, however the stream ends. */
  readonly onClose?: () => void;
  /** How long readers are waited for. */
  readonly patience?: ReaderWatchOptions;
}

/**
 * Streams a part of a file; it is closed at the end, on failure and when the reader goes away or takes
 * nothing for too long.
 *
 * @param from First byte
 * @param to Position after the last byte
 * @throws {RangeError} If the positions are not those of a part of a file
 */
export function streamSlice(
  file: SlicedFile,
  from: number,
  to: number,
  { turn = "", onEnd, onClose, patience }: StreamOptions = {},
): ReadableStream<Uint8Array> {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to)) {
    throw new RangeError(`Cannot read ${file.path}: from ${from} to ${to} is not a part of a file`);
  }
  let slice: OpenSlice | undefined;
  let left = to - from;
  let watch: ReaderWatch;
  let notify = onClose;
  const close = () => {
    watch.stop();
    slice?.close();
    slice = undefined;
    notify?.();
    notify = undefined;
  };
  return new ReadableStream({
    start(controller) {
      watch = new ReaderWatch((error) => {
        close();
        controller.error(error);
      }, patience);
    },
    async pull(controller) {
      watch.stop();
      try {
        if (left === 0) {
          close();
          await onEnd?.();
          return controller.close();
        }
        slice ??= await file.open(from, to);
        const source = slice;
        await source.load?.();
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left));
        const read = await readInTurn(turn, () => source.read(chunk));
        if (!read) throw new Error(`Cannot read ${file.path}: it is too short`);
        left -= read;
        watch.wait(); // first: where the connection is gone, the stream is cancelled within the next call
        controller.enqueue(chunk.subarray(0, read));
      } catch (error) {
        close();
        // The runtime prints it; where no file descriptor is left, it ends the process if the stack is not set.
        if (error instanceof Error) error.stack = error.message;
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: 0 }); // no reading ahead: onEnd means that the reader wanted the end
}
