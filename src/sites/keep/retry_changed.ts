import { delay } from "@std/async";
import { isPassing, PassingError } from "../../storage/failures/is_passing.ts";

/** A site was stored by another import after it was read: what was computed of it would undo that. */
export class SiteChangedError extends Error {
  constructor(site: string) {
    super(
      `Cannot store the site "${site}": another import has stored it meanwhile. Import it again`,
    );
  }
}

/** How often work is repeated where a database or a disk cannot be used, which may be restarted, and the pause before, ms. */
const [TRIES, PAUSE] = [60, 1000];

/**
 * Repeats work on a site, from the reading on, as long as another import stores that site meanwhile: each time one of them
 * gets on.
 *
 * @param work Reads the edition of the site, and stores what it computes from it
 * @param waits Whether it is also repeated, for a minute or more, where the storage cannot be used
 * @param signal Ends the pause before the next try
 * @throws {PassingError} If the storage still cannot be used
 */
export async function retryChanged<T>(
  work: () => Promise<T>,
  waits: boolean = false,
  signal?: AbortSignal,
): Promise<T> {
  for (let left = TRIES;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SiteChangedError) continue;
      // What says by itself that it passes was waited for already.
      if (!waits || !isPassing(error) || "passes" in (error as Error)) throw error;
      const { message } = error as Error;
      if (left-- === 0) throw new PassingError(message);
      if (left === TRIES - 1) console.error(`${message}: it is tried again`);
      await delay(PAUSE, { signal });
    }
  }
}
