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
   * Whether anyone else has made a request recently.
   *
   * @param turn Whose own requests do not count
   * @param now The present, ms
   */
  hasOther(turn: string, now: number): boolean {
    const other = this.#last.turn === turn ? this.#other : this.#last;
    return now - other.at < RECENT;
  }
}

/** Pause after some parts where more wait, ms: in it other requests are answered. */
const PAUSE = 1;

/** Parts between two pauses while no other licence asks: with parts of 64 KiB all downloads get about 300 MB/s. */
const PARTS_ALONE = 8;

/** Parts between two pauses while another licence asks: all downloads get about 50 MB/s. */
const PARTS_BESIDE = 1;

/** Parts that wait; there is one queue, as there is one thread that answers. */
const waiting = new Turns<() => void>();
const asked = new RecentTurns();

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
  asked.add(turn, performance.now());
}

/**
 * Does a part of a long answer once its turn has come: reads it from the disk, or computes it. One part is done at a time,
 * so that between two of them the thread answers other requests, however many such answers are under way.
 *
 * @param turn Whose turn it takes, so that many long answers of one licence slow down only those
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
    else if (parts < (asked.hasOther(turn, performance.now()) ? PARTS_BESIDE : PARTS_ALONE)) {
      begin();
    } else {
      parts = 0;
      setTimeout(begin, PAUSE);
    }
  }
}
