import { Turns } from "../../storage/jobs/turns.ts";

/** How long after a request a licence still counts as asking, ms. */
const RECENT = 250;

/** Remembers the two different licences that asked last, and when. */
export class RecentTurns {
  #last = { turn: "", at: -Infinity };
  #other = { turn: "", at: -Infinity };

  /**
   * Records a request.
   *
   * @param turn Whose turn it takes
   * @param at When, ms
   */
  add(turn: string, at: number): void {
    if (turn !== this.#last.turn) this.#other = this.#last;
    this.#last = { turn, at };
  }

  /**
   * Whether another licence has made a request recently.
   *
   * @param turn The licence whose requests do not count
   * @param now The present, ms
   */
  hasOther(turn: string, now: number): boolean {
    const other = this.#last.turn === turn ? this.#other : this.#last;
    return now - other.at < RECENT;
  }
}

/** Pause after some parts if more wait, ms: other requests are answered meanwhile. */
const PAUSE = 1;

/** Parts between two pauses while no other licence asks: with parts of 64 KiB all downloads get about 300 MB/s. */
const PARTS_ALONE = 8;

/** Parts between two pauses while another licence asks: all downloads get about 50 MB/s. */
const PARTS_SHARED = 1;

/** Waiting parts; one queue, because one thread answers. */
const waiting = new Turns<() => void>();
const recentTurns = new RecentTurns();

let working = false;
let parts = 0;

function begin(): void {
  const next = waiting.next();
  working = next !== undefined;
  next?.();
}

/**
 * Records a request: the long answers of other licences slow down for a while.
 *
 * @param turn Whose turn it takes
 */
export function noteAsking(turn: string): void {
  recentTurns.add(turn, performance.now());
}

/**
 * Does a part of a long answer in its turn: reads it from the disk, or computes it. One part is done at a time, so the
 * thread answers other requests in between, however many such answers are under way.
 *
 * @param turn Whose turn it takes, so many long answers of one licence slow down only those
 */
export async function doInTurn<T>(turn: string, work: () => T | Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => {
    waiting.add(resolve, turn, false);
    if (!working) begin();
  });
  try {
    return await work();
  } finally {
    parts++;
    if (waiting.isEmpty) working = false;
    else if (parts < (recentTurns.hasOther(turn, performance.now()) ? PARTS_SHARED : PARTS_ALONE)) {
      begin();
    } else {
      parts = 0;
      setTimeout(begin, PAUSE);
    }
  }
}
