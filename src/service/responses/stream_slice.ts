import { readInTurn } from "./read_in_turn.ts";
import { ReaderWatch, type ReaderWatchOptions } from "./reader_watch.ts";

const CHUNK_BYTES = 64 * 1024;

/** Options of {@linkcode streamSlice}. */
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
 * Streams a part of a file from disk; the file is closed at the end, on failure and when the reader goes away or takes
 * nothing for too long.
 *
 * @param path The file
 * @param from First byte
 * @param to Position after the last byte
 * @param options What to call at the end, and how long readers are waited for
 * @throws {RangeError} If the positions are not those of a part of a file
 */
export function streamSlice(
  path: string,
  from: number,
  to: number,
  { turn = "", onEnd, onClose, patience }: StreamOptions = {},
): ReadableStream<Uint8Array> {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to)) {
    throw new RangeError(`Cannot read ${path}: from ${from} to ${to} is not a part of a file`);
  }
  let file: Deno.FsFile | undefined;
  let left = to - from;
  let watch: ReaderWatch;
  let notify = onClose;
  const close = () => {
    watch.stop();
    file?.close();
    file = undefined;
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
        if (!file) {
          file = await Deno.open(path);
          await file.seek(from, Deno.SeekMode.Start);
        }
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left));
        const source = file;
        const read = await readInTurn(turn, () => source.read(chunk));
        if (!read) throw new Error(`Cannot read ${path}: it is too short`);
        left -= read;
        watch.wait(); // first: where the connection is gone, the stream is cancelled within the next call
        controller.enqueue(chunk.subarray(0, read));
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: 0 }); // no reading ahead: onEnd means that the reader wanted the end
}
