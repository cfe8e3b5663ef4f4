import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../show/text/escape.ts";
import type { Cell } from "../document/notebook_document.ts";

/** Addresses that a link may lead to: none that runs anything. */
const LINK = /^(https?:|mailto:|#|\.{0,2}\/|[\w-]+(\.[\w-]+)*(\/|$|#))/i;

/** Pictures that stand in the page themselves. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The data of an attachment of a cell, as an address. */
function findAttachment({ attachments = {} }: Cell, name: string): string | undefined {
  const bundle = attachments[name] as Record<string, string> | undefined;
  const [type, data] = Object.entries(bundle ?? {})[0] ?? [];
  return type === undefined ? undefined : `data:${type};base64,${[data].flat().join("")}`;
}

/** A name as it was before it became part of an address. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a per cent sign that stands for itself
  }
}

function renderPicture(cell: Cell, { href, text }: Tokens.Image): string {
  const address = href.startsWith("attachment:")
    ? findAttachment(cell, decodeName(href.slice("attachment:".length))) ?? ""
    : href;
  if (INLINE_PICTURE.test(address)) {
    return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
  }
  // The page loads nothing: what lies elsewhere is named.
  return LINK.test(address)
    ? `<a href="${escapeHtml(address)}">${escapeHtml(text || address)}</a>`
    : escapeHtml(text);
}

/** Name of a heading in addresses. */
function buildSlug(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
}

/** Renders the Markdown of one notebook; names of headings are unique in it. */
export class PageMarkdown {
  readonly #slugs = new Map<string, number>();

  /**
   * Renders a cell. HTML in it stays text: a page for people without the notebook shows what its author wrote, and
   * nothing that is hidden in it.
   */
  render(cell: Cell): string {
    const name = (text: string) => this.#name(text);
    const marked = new Marked({
      renderer: {
        html: ({ text }) => escapeHtml(text),
        heading({ depth, text, tokens }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth} id="${escapeHtml(name(text))}">${inner}</h${depth}>\n`;
        },
        link({ href, title, tokens }) {
          const inner = this.parser.parseInline(tokens);
          if (!LINK.test(href)) return inner;
          const hint = title ? ` title="${escapeHtml(title)}"` : "";
          return `<a href="${escapeHtml(href)}"${hint}>${inner}</a>`;
        },
        image: (token) => renderPicture(cell, token),
      },
    });
    return marked.parse(cell.source, { async: false });
  }

  #name(text: string): string {
    const base = buildSlug(text) || "section";
    const count = (this.#slugs.get(base) ?? 0) + 1;
    this.#slugs.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  }
}

/** The words of tokens, without their markup. */
function joinWords(tokens: readonly Token[]): string {
  return tokens.map((token) =>
    "tokens" in token && token.tokens ? joinWords(token.tokens) : "text" in token ? token.text : ""
  ).join("");
}

/** The first heading of the first level, without its markup. */
export function findTitle(cells: readonly Cell[]): string | undefined {
  for (const { cell_type, source } of cells) {
    if (cell_type !== "markdown") continue;
    const heading = new Marked().lexer(source).find((token): token is Tokens.Heading =>
      token.type === "heading" && token.depth === 1
    );
    if (heading) return joinWords(heading.tokens);
  }
  return undefined;
}
