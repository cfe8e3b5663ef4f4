import { isPassing, PassingError } from "../../storage/failures/is_passing.ts";
import { retry } from "../../storage/failures/retry.ts";

/** Another import stored the site after it was read: storing what was computed from it would undo that import. */
export class SiteChangedError extends Error {
  constructor(site: string) {
    super(
      `Cannot store the site "${site}": another import has stored it meanwhile. Import it again`,
    );
  }
}

/** How often work is tried where a database or a disk cannot be used, which may be restarted, and the pause before, ms. */
const [TRIES, PAUSE] = [61, 1500];

/**
 * Repeats work on a site, starting with reading it, as long as another import stores that site meanwhile: each time,
 * one of them makes progress.
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
  const unlessChanged = async (): Promise<T> => {
    while (true) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof SiteChangedError)) throw error;
      }
    }
  };
  let isWaiting = false;
  const isWorth = (error: unknown) => {
    // What says by itself that it passes was waited for already.
    if (!waits || !isPassing(error) || "passes" in (error as Error)) return false;
    if (!isWaiting) console.error(`${(error as Error).message}: it is tried again`);
    return isWaiting = true;
  };
  try {
    return await retry(unlessChanged, { isWorth, pause: [PAUSE, PAUSE], tries: TRIES, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw isWorth(error) ? new PassingError((error as Error).message) : error;
  }
}
