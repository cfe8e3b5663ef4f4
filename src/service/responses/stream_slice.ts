import { ReaderWatch, type ReaderWatchOptions } from "./reader_watch.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a part of a file from disk; the file is closed at the end, on failure and when the reader goes away or takes
 * nothing for too long.
 *
 * @param path The file
 * @param from First byte
 * @param to Position after the last byte
 * @param onEnd Called when the last byte is sent, before the stream says so; not where the reader goes away
 * @param patience How long readers are waited for
 * @throws {RangeError} If the positions are not those of a part of a file
 */
export function streamSlice(
  path: string,
  from: number,
  to: number,
  onEnd?: () => Promise<void>,
  patience?: ReaderWatchOptions,
): ReadableStream<Uint8Array> {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to)) {
    throw new RangeError(`Cannot read ${path}: from ${from} to ${to} is not a part of a file`);
  }
  let file: Deno.FsFile | undefined;
  let left = to - from;
  let watch: ReaderWatch;
  const close = () => {
    watch.stop();
    file?.close();
    file = undefined;
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
        const read = await file.read(chunk);
        if (!read) throw new Error(`Cannot read ${path}: it is too short`);
        left -= read;
        controller.enqueue(chunk.subarray(0, read));
        watch.wait();
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: 0 }); // no reading ahead: onEnd means that the reader wanted the end
}

/**
 * Streams bytes part by part, as fast as they are read.
 *
 * @param onEnd Called once, when all are sent, or the reader goes away or takes nothing for too long
 * @param patience How long readers are waited for
 */
export function streamBytes(
  bytes: Uint8Array,
  onEnd: () => void,
  patience?: ReaderWatchOptions,
): ReadableStream<Uint8Array> {
  let sent = 0;
  let watch: ReaderWatch;
  return new ReadableStream({
    start(controller) {
      watch = new ReaderWatch((error) => {
        controller.error(error);
        onEnd();
      }, patience);
    },
    pull(controller) {
      watch.stop();
      if (sent < bytes.length) {
        controller.enqueue(bytes.slice(sent, sent + CHUNK_BYTES));
        sent += CHUNK_BYTES;
        watch.wait();
      } else {
        controller.close();
        onEnd();
      }
    },
    cancel() {
      watch.stop();
      onEnd();
    },
  }, { highWaterMark: 0 });
}
