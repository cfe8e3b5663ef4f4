/**
 * Pages of the site, and how files of the checkout become pages.
 *
 * @module
 */
import { Marked, type Token, type Tokens } from "marked";
import { readNotebookFile } from "@vindkit/vindkit/notebook";
import { renderNotebook } from "../src/notebook/mod.ts";
import { escapeHtml } from "../src/show/text/html.ts";

/** A page before its links are resolved. */
export interface Page {
  /** Its source, as a path in the checkout; its links are relative to it. */
  readonly source: string;
  /** Its path in the site. */
  readonly path: string;
  /** Its title, as plain text. */
  readonly title: string;
  /** HTML of its `<main>`. */
  readonly html: string;
  /** Further scripts of the page, in the root of the site. */
  readonly scripts?: readonly string[];
}

/** Paths to the documentation of exported names, from the root of the site. */
export type SymbolAddresses = ReadonlyMap<string, string>;

/** Text of HTML without its tags. */
export function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => (
    { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" }[name as string]!
  ));
}

/** Identifier of a heading by the rule of repository pages, which links in the docs use. */
function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
}

/** Renders Markdown of the docs, and of doc comments. */
export class Markdown {
  readonly #marked: Marked;
  #ids = new Map<string, number>();

  /** @param symbols Exported names; their mentions in code link to their documentation */
  constructor(symbols: SymbolAddresses) {
    const identify = (text: string) => {
      const [base, count] = [slugOf(text), this.#ids.get(slugOf(text)) ?? 0];
      this.#ids.set(base, count + 1);
      return count === 0 ? base : `${base}-${count}`;
    };
    this.#marked = new Marked({
      renderer: {
        heading({ depth, tokens }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth} id="${identify(textOf(inner))}">${inner}</h${depth}>\n`;
        },
        code: ({ text, lang }) =>
          `<pre class="code"${lang ? ` data-lang="${escapeHtml(lang)}"` : ""}><code>${
            escapeHtml(text)
          }</code></pre>\n`,
        codespan({ text }) {
          const code = `<code>${escapeHtml(text)}</code>`;
          const address = symbols.get(
            /^(\w+)\(\)$|^([A-Z]\w+)$/.exec(text)?.[0].replace("()", "")!,
          );
          return address ? `<a href="/${address}">${code}</a>` : code;
        },
        link({ href, tokens }) {
          const inner = this.parser.parseInline(tokens).replace(/<\/?a\b[^>]*>/g, "");
          return `<a href="${escapeHtml(href)}">${inner}</a>`;
        },
        table({ header, rows }: Tokens.Table) {
          const line = (cells: Tokens.TableCell[], name: string) =>
            `<tr>${
              cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`)
                .join("")
            }</tr>\n`;
          return `<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n<thead>${
            line(header, "th")
          }</thead>\n<tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table></div>\n`;
        },
      },
    });
  }

  /** Renders a text of one page, with unique identifiers of headings. */
  render(text: string): string {
    this.#ids = new Map();
    return this.#marked.parse(text.replace(/\{@link(?:code)? (\w+)\}/g, "`$1`"), { async: false });
  }

  /** Reads lists with a bold line above them, as in the README: names and links. */
  readGroups(text: string): { name: string; links: { title: string; href: string }[] }[] {
    const tokens = this.#marked.lexer(text);
    return tokens.flatMap((token, i) => {
      const list = tokens.slice(i + 1).find(({ type }) => type !== "space");
      const name = token.type === "paragraph" ? /^\*\*(.+)\*\*$/.exec(token.raw.trim())?.[1] : "";
      return name && list?.type === "list" ? [{ name, links: linksOf([list]) }] : [];
    });
  }
}

/** Links in tokens, in order. */
function linksOf(tokens: readonly Token[]): { title: string; href: string }[] {
  return tokens.flatMap((token) => {
    if (token.type === "link") return [{ title: token.text, href: token.href }];
    return linksOf(("tokens" in token && token.tokens || "items" in token && token.items) || []);
  });
}

/** The page that runs the engine. */
export const LEARN = "site/learn/learn.html";

/** Path of a checkout file in the site. */
export function pathOf(source: string): string {
  if (source === "README.md") return "index.html";
  if (source === LEARN) return "learn.html";
  if (/\.(svg|json)$/.test(source)) return source;
  return `${source.replace(/\.(md|ipynb)$/, "")}.html`;
}

/** Introduction of a notebook's page: its contents, and how to run it. */
const asItWasRun = (source: string) => `
<p>This page shows the notebook with its stored results. To run it,
<a href="/${source}" download>download the notebook</a> and <a href="/docs/notebooks.html#open-them">open it</a>.</p>`;

/** Makes a page from a file of the checkout: Markdown, a notebook with outputs, or source code. */
export async function readPage(source: string, markdown: Markdown): Promise<Page> {
  const path = pathOf(source);
  if (source.endsWith(".ipynb")) {
    const { title, html } = await renderNotebook(await readNotebookFile(source));
    return { source, path, title, html: html.replace("</h1>", `</h1>${asItWasRun(source)}`) };
  }
  const text = await Deno.readTextFile(source);
  if (!source.endsWith(".md")) {
    const html = `<h1>${source}</h1>\n<pre class="code"><code>${escapeHtml(text)}</code></pre>`;
    return { source, path, title: source, html };
  }
  const html = `<section class="text">\n${markdown.render(text)}</section>`;
  const title = textOf(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? source);
  return { source, path, title, html };
}
