/**
 * The page with the results of the long runs, a section each.
 *
 * @module
 */

const HEAD =
  "# The long runs\n\nEach section describes what a long run tests, and then shows the figures that the run printed. To\nstart one run, use `deno task soak NAME`. To start all runs and write this page, use\n`deno task soak --write`.\n";

/**
 * Returns the texts of a page's sections by title.
 *
 * @param page The page
 */
export function splitSections(page: string): Map<string, string> {
  const [, ...sections] = page.split(/^## /m);
  return new Map(sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end), section.slice(end).trim()];
  }));
}

/**
 * Joins sections to the page.
 *
 * @param sections Texts by title
 * @param order Titles in their order; other sections are left out
 */
export function joinSections(
  sections: ReadonlyMap<string, string>,
  order: readonly string[],
): string {
  const titles = order.filter((title) => sections.has(title));
  return [HEAD, ...titles.map((title) => `## ${title}\n\n${sections.get(title)}\n`)].join("\n");
}
