import type { Sites } from "../../sites/keep/sites.ts";
import type { Licence } from "../../storage/store/licences.ts";

/** Turbines that are read at once, in some milliseconds: other requests are answered before the next ones. */
export const TURBINES_A_PAGE = 500;

/**
 * Lists the turbines that a licence covers, in their order and page by page: a fleet may have a hundred thousand.
 *
 * @returns Identifiers; a page may have none
 */
export async function* listCoveredTurbines(
  { turbines }: Licence,
  sites: Sites,
): AsyncGenerator<readonly string[]> {
  if (turbines === null) {
    const readAfter = (id: string) => sites.nextTurbineIds(id, TURBINES_A_PAGE);
    let page = await readAfter("");
    for (; page.length > 0; page = await readAfter(page.at(-1)!)) yield page;
    return;
  }
  const names = [...new Set(turbines)].sort();
  for (let at = 0; at < names.length; at += TURBINES_A_PAGE) {
    yield await sites.findTurbineIds(names.slice(at, at + TURBINES_A_PAGE));
  }
}
