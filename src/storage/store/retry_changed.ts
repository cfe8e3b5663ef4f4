import { SiteChangedError } from "./site_changed_error.ts";

/**
 * Repeats work on a site, from the reading on, as long as another import stores that site meanwhile: each time one of them
 * gets on.
 *
 * @param work Reads the edition of the site, and stores what it computes from it
 */
export async function retryChanged<T>(work: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SiteChangedError)) throw error;
    }
  }
}
