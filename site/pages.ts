/**
 * What a page of the site is, and how files of the checkout become one.
 *
 * @module
 */
import { Marked, type Token, type Tokens } from "marked";
import { readNotebookFile } from "@vindkit/vindkit/notebook";
import { renderNotebook } from "../src/notebook/mod.ts";
import { escapeHtml } from "../src/show/text/html.ts";

/** A page before its links lead anywhere. */
export interface Page {
  /** What it is made from, as a path in the checkout: its links are relative to this. */
  readonly source: string;
  /** Where it is written in the site. */
  readonly path: string;
  /** Its title, as plain text. */
  readonly title: string;
  /** What is in its `<main>`. */
  readonly html: string;
  /** Scripts that it runs beside the search, in the root of the site. */
  readonly scripts?: readonly string[];
}

/** Where the documentation of an exported name is, as a path from the root of the site. */
export type SymbolAddresses = ReadonlyMap<string, string>;

/** Text of HTML without its tags. */
export function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => (
    { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" }[name as string]!
  ));
}

/** Identifier of a heading by the rule that links in the docs rely on: that of the pages of repositories. */
function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
}

/** Renders Markdown of the docs, and of doc comments. */
export class Markdown {
  readonly #marked: Marked;
  #ids = new Map<string, number>();

  /** @param symbols Exported names: code that names one leads to its documentation */
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

  /** Renders a text; identifiers of headings are those of one page. */
  render(text: string): string {
    this.#ids = new Map();
    return this.#marked.parse(text.replace(/\{@link(?:code)? (\w+)\}/g, "`$1`"), { async: false });
  }

  /** Reads the lists below lines that are bold alone, as the README has them: names and links. */
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

/** The page in which the engine runs. */
export const LEARN = "site/learn/learn.html";

/** Where a file of the checkout is in the site. */
export function pathOf(source: string): string {
  if (source === "README.md") return "index.html";
  if (source === LEARN) return "learn.html";
  if (/\.(svg|json)$/.test(source)) return source;
  return `${source.replace(/\.(md|ipynb)$/, "")}.html`;
}

/** What a notebook's page is, and how to run it. */
const asItWasRun = (source: string) => `
<p>This page shows the notebook with its stored results. To run it,
<a href="/${source}" download>download the notebook</a> and <a href="/docs/notebooks.html#open-them">open it</a>.</p>`;

/** Makes a page of a file of the checkout: of Markdown, of a notebook with its outputs, or of a source as it stands. */
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
