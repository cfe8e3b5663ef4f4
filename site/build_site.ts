/**
 * Builds the site: the guide, the notebooks with outputs, the reference, the contract, and a page that runs the
 * engine.
 *
 * @module
 */
import { dirname } from "node:path";
import { pageStyles } from "../src/notebook/mod.ts";
import { bundleScript } from "./bundle.ts";
import { type Group, renderPage } from "./layout.ts";
import { Links } from "./links.ts";
import { LEARN, Markdown, type Page, pathOf, readPage, textOf } from "./pages.ts";
import { listAddresses, readDocumentation, Reference } from "./reference.ts";

/** The built site. */
export interface BuiltSite {
  readonly pages: number;
  readonly links: number;
  /** Size of all files, bytes. */
  readonly size: number;
}

/** Start of the first page, below its heading. */
const INVITATION = `</h1>
<p>New to wind indices? <a href="/learn.html">Move one by hand</a>: there is nothing to install.</p>`;

/** Sorted files with an ending below a folder of the checkout. */
function listFiles(folder: string, ending: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? listFiles(path, ending) : name.endsWith(ending) ? [path] : [];
  }).sort();
}

/** Splits a page at its headings for the search: address, title, heading and text of each part. */
function listParts({ path, title, html }: Page): [string, string, string, string][] {
  const heading = /<h[1-4]\b[^>]*>/;
  return html.split(new RegExp(`(?=${heading.source})`)).map((part) => {
    const id = /^<h[1-4] id="([^"]+)"/.exec(part)?.[1];
    const [name, text] = heading.test(part) ? part.split(/<\/h[1-4]>/, 2) : ["", part];
    const words = (text ?? "").replace(/<\/(d[dt]|li|p|pre|t[dh])>/g, " $&"); // separates the words of adjacent cells
    return [id ? `${path}#${id}` : path, title, textOf(name), textOf(words)]
      .map((each) => each.replace(/\s+/g, " ").trim()) as [string, string, string, string];
  });
}

async function readLearningPage(): Promise<Page> {
  return {
    source: LEARN,
    path: pathOf(LEARN),
    title: "Move the wind index by hand",
    html: await Deno.readTextFile(new URL("learn/learn.html", import.meta.url)),
    scripts: ["learn.js"],
  };
}

/** The list of pages: first the groups of the README, then all other pages. */
function groupPages(pages: readonly Page[], markdown: Markdown, readme: string): Group[] {
  const named = markdown.readGroups(readme).map(({ name, links }) => ({
    name,
    links: links.filter(({ href }) => href.endsWith(".md"))
      .map(({ title, href }) => ({
        title: title[0].toUpperCase() + title.slice(1), // some titles are part of a sentence
        path: pathOf(href),
      })),
  }));
  const known = new Set(named.flatMap(({ links }) => links.map(({ path }) => path)));
  const below = (name: string, begin: RegExp): Group => ({
    name,
    links: pages.filter(({ path }) => begin.test(path) && !known.has(path)),
  });
  return [
    {
      name: "Learn",
      links: [{ title: "What Vindkit is", path: "index.html" }, below("", /^learn\./).links[0]],
    },
    below("Notebooks", /^notebooks\//),
    ...named,
    below("More", /^(docs\/((presets|toolbox)\/)?[\w-]+|[A-Z]+)\.html$/),
    below("Decisions", /^docs\/decisions\//),
    below("Reference", /^api\//),
  ];
}

/** Writes files, and returns their size in bytes. */
async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<number> {
  let size = 0;
  for (const [path, text] of files) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
    size += new TextEncoder().encode(text).length;
  }
  return size;
}

/**
 * Builds the site of the checkout.
 *
 * @param folder Target folder; it must be empty, or is created
 * @throws If a link leads nowhere
 */
export async function buildSite(folder: string): Promise<BuiltSite> {
  const documentation = await readDocumentation();
  const addresses = listAddresses(documentation);
  const markdown = new Markdown(addresses);
  const reference = new Reference(markdown, addresses);
  const links = new Links(pathOf);
  const written = new Map<string, string>();
  const pages: Page[] = [];
  const assets: string[] = [];
  const sources = new Set([
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
    ...listFiles("docs", ".md"),
    ...listFiles("notebooks", ".ipynb"),
  ]);
  const add = (page: Page) => {
    const html = links.follow(page.html, page, (source) => sources.add(source));
    pages.push({ ...page, html });
    written.set(page.path, html);
  };
  add(await readLearningPage());
  for (const [name, entry] of documentation) add(reference.page(name, entry));
  for (const source of sources) { // the loop also visits files that pages link, added meanwhile
    const known = await Deno.stat(source).catch(() => null);
    if (!known?.isFile || source === LEARN) continue; // reported as a broken link, or built already
    if (pathOf(source) === source) {
      assets.push(source);
      written.set(source, "");
    } else {
      if (source.endsWith(".ipynb")) {
        assets.push(source);
        written.set(source, "");
      }
      const page = await readPage(source, markdown);
      add(
        source === "README.md" ? { ...page, html: page.html.replace("</h1>", INVITATION) } : page,
      );
    }
  }
  const broken = links.findBroken(written);
  if (broken.length > 0) {
    throw new Error(`Cannot build the site, ${broken.length} broken links:\n${broken.join("\n")}`);
  }
  const groups = groupPages(pages, markdown, await Deno.readTextFile("README.md"));
  // Leaves out types of signatures, because the functions that use them answer questions better.
  const searched = pages.filter(({ path }) => path !== "api/types.html");
  const script = (path: string) => bundleScript(new URL(path, import.meta.url));
  const files = new Map<string, string>([
    ...pages.map((page) => [page.path, renderPage(page, groups)] as const),
    ["site.css", pageStyles + await Deno.readTextFile(new URL("site.css", import.meta.url))],
    ["search.js", await script("browser/search.js")],
    ["search_data.js", `window.searchParts = ${JSON.stringify(searched.flatMap(listParts))};\n`],
    ["learn.js", await script("learn/learn.js")],
  ]);
  for (const source of assets) files.set(source, await Deno.readTextFile(source));
  return { pages: pages.length, links: links.count, size: await writeFiles(folder, files) };
}
