/**
 * The frame of all pages: search and navigation.
 *
 * @module
 */
import { escapeHtml } from "../src/show/text/html.ts";
import { relativeTo } from "./links.ts";
import type { Page } from "./pages.ts";

/** A group of pages in the navigation. */
export interface Group {
  readonly name: string;
  readonly links: readonly { readonly title: string; readonly path: string }[];
}

/** Allows only files next to the page, and no requests to other hosts. */
const POLICY = "default-src 'none'; script-src 'self' file:; " +
  "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; " +
  "base-uri 'none'; form-action 'none'";

function renderGroup({ name, links }: Group, page: Page): string {
  const isOpen = links.some(({ path }) => path === page.path);
  const list = links.map(({ title, path }) => {
    const current = path === page.path ? ` aria-current="page"` : "";
    return `<li><a href="${relativeTo(page.path, path)}"${current}>${escapeHtml(title)}</a></li>`;
  });
  return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(name)}</summary>\n<ul>${
    list.join("\n")
  }</ul></details>`;
}

/**
 * Renders a whole page.
 *
 * @param page The page, with links that lead to pages of the site
 * @param groups The list of pages in the navigation
 */
export function renderPage(page: Page, groups: readonly Group[]): string {
  const file = (path: string) => relativeTo(page.path, path);
  const scripts = ["search.js", ...page.scripts ?? []]
    .map((path) => `<script src="${file(path)}" defer></script>`).join("\n");
  const name = page.path === "index.html" ? page.title : `${page.title} - Vindkit`;
  return `<!doctype html>
<html lang="en" data-root="${file("index.html").replace("index.html", "")}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file("site.css")}">
<title>${escapeHtml(name)}</title>
${scripts}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="home" href="${file("index.html")}">Vindkit</a>
<a class="pages" href="#pages">Pages</a>
<search>
<label>Search <input id="search" type="search" autocomplete="off" aria-describedby="found"></label>
<p id="found" role="status"></p>
<ol id="results" hidden></ol>
</search>
</header>
<main id="main" tabindex="-1">
${page.html}
</main>
<nav id="pages" aria-label="Pages">
${groups.map((group) => renderGroup(group, page)).join("\n")}
</nav>
</body>
</html>
`;
}
