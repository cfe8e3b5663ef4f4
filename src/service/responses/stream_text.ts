import { delay } from "@std/async";
import { ReaderWatch, type ReaderWatchOptions } from "./reader_watch.ts";

/**
 * Streams the parts of a text while they are made, so that neither its first byte nor the memory waits for the last one.
 * A part is made when the reader takes the one before, and none where it goes away or takes nothing for too long. Where
 * making one fails the connection breaks: no client takes the beginning for the whole.
 */
export function streamText(
  parts: AsyncGenerator<string, void, void>,
  patience?: ReaderWatchOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let watch: ReaderWatch;
  let ended = false;
  const end = async () => {
    ended = true;
    watch.stop();
    await parts.return();
  };
  return new ReadableStream({
    start(controller) {
      watch = new ReaderWatch((error) => {
        controller.error(error);
        void end();
      }, patience);
    },
    async pull(controller) {
      watch.stop();
      await delay(0); // requests that wait are answered before the next part is made
      const { done, value } = await parts.next();
      if (ended) return;
      if (done) return controller.close();
      watch.wait(); // first: where the connection is gone, the stream is cancelled within the next call
      controller.enqueue(encoder.encode(value));
    },
    cancel: end,
  }, { highWaterMark: 0 });
}
