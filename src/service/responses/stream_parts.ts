/**
 * How long a reader may leave a part of its answer unread, ms; then the answer ends and its file is closed. The system
 * takes the next part only when much of its buffer for the connection, up to 4 MB, is read: a reader of 10 kB a
 * second takes minutes for that.
 */
const READER_TIMEOUT = 600_000;

/** How long an answer may be read in total, ms: it also ends readers that take a little every minute. */
const READING_TIMEOUT = 3_600_000;

/** How long to wait for readers. */
export interface ReaderPatience {
  /** How long a part may be left unread, ms. @default {600_000} */
  part?: number;
  /** How long the whole may take, ms. @default {3_600_000} */
  whole?: number;
}

/** Source of the parts of an answer. */
interface PartSource {
  /** Makes the next part, `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Called when the stream has ended, failed or been left, perhaps more than once. */
  close(): void | Promise<void>;
}

/**
 * Streams parts, each made when the reader wants it. The stream ends if its reader stops reading for too long: otherwise a
 * client that opens downloads without reading them would keep a file open for each. The connection itself ends when its
 * reader reads on or leaves; it breaks if making a part fails, so no client mistakes the beginning for the whole.
 */
export function streamParts(
  { next, close }: PartSource,
  { part = READER_TIMEOUT, whole = READING_TIMEOUT }: ReaderPatience = {},
): ReadableStream<Uint8Array> {
  const end = performance.now() + whole;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = async () => {
    clearTimeout(timer);
    await close();
  };
  const waitForReader = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const pause = Math.min(part, Math.max(0, end - performance.now()));
    timer = setTimeout(() => {
      const s = Math.round(pause / 1000);
      const error = new Error(`Stopped sending: the client read no data for ${s} s`);
      error.stack = error.message; // the runtime prints the stack for each such reader
      controller.error(error);
      void stop();
    }, pause);
  };
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(timer);
      try {
        const bytes = await next();
        if (bytes) {
          waitForReader(controller); // before enqueue(), which cancels the stream if the connection is gone
          controller.enqueue(bytes);
        } else {
          await stop();
          controller.close();
        }
      } catch (error) {
        await stop();
        // The runtime prints the stack. Unless it is set, the runtime ends the process if no file descriptor is left.
        if (error instanceof Error) error.stack = error.message;
        throw error;
      }
    },
    cancel: stop,
  }, { highWaterMark: 0 }); // no reading ahead: a pull after the last part means that the reader has it
}
