import { isLoopback } from "../http/address.ts";

/** Pauses between requests to the Climate Data Store, ms. */
export interface CdsPauses {
  /** Before the second look at a job; each further one is longer. */
  readonly look: number;
  /** Before a request is sent anew to a full queue. */
  readonly queue: number;
  /** Before a second look for a job whose answer was lost; the third comes after four of them. */
  readonly search: number;
}

/** Pause before the second look at a job where none is given, ms. */
const FIRST_PAUSE = 2_000;

/**
 * Chooses the pauses: not short ones for the store, whose users share it; a server on this computer may be asked at once.
 *
 * @param root Root of the API
 * @param firstPause Pause before the second look at a job, ms
 */
export function choosePauses(root: string, firstPause = FIRST_PAUSE): CdsPauses {
  return isLoopback(new URL(root))
    ? { look: firstPause, queue: firstPause, search: firstPause }
    : { look: Math.max(1_000, firstPause), queue: 60_000, search: 5_000 };
}
