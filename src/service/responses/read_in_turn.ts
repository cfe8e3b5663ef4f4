import { Turns } from "../turns.ts";

/** Pause after some parts where more wait, ms: in it other requests are answered. */
const PAUSE = 1;

/** Parts between two pauses: with parts of 64 KiB all downloads together get up to about 300 MB/s. */
const PARTS = 8;

/** Reads that wait; there is one queue, as there is one thread that answers. */
const waiting = new Turns<() => void>();

let reading = false;
let parts = 0;

function begin(): void {
  const next = waiting.next();
  reading = next !== undefined;
  next?.();
}

/**
 * Reads a part of an answer from the disk once its turn has come: one part is read at a time, so that between two of them
 * the thread answers other requests, however many downloads there are and however fast they are read.
 *
 * @param turn Whose turn it takes, so that many downloads of one licence slow down only those
 * @param read Reads it
 */
export async function readInTurn<T>(turn: string, read: () => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => {
    waiting.add(resolve, turn, false);
    if (!reading) begin();
  });
  try {
    return await read();
  } finally {
    if (waiting.isEmpty) reading = false;
    else if (++parts % PARTS > 0) begin();
    else setTimeout(begin, PAUSE);
  }
}
