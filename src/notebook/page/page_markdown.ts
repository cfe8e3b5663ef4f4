import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../show/text/html.ts";
import type { Cell } from "../document/notebook_document.ts";

/** Allowed addresses of links; none of them runs code. */
const LINK = /^(https?:|mailto:|#|\.{0,2}\/|[\w-]+(\.[\w-]+)*(\/|$|#))/i;

/** Pictures within the page. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** Data URL of an attachment of a cell; `undefined` if it is missing. */
function findAttachment({ attachments = {} }: Cell, name: string): string | undefined {
  const bundle = attachments[name] as Record<string, string> | undefined;
  const [type, data] = Object.entries(bundle ?? {})[0] ?? [];
  return type === undefined ? undefined : `data:${type};base64,${[data].flat().join("")}`;
}

/** Decodes a name in an address. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // contains a plain percent sign
  }
}

function renderPicture(cell: Cell, { href, text }: Tokens.Image): string {
  const address = href.startsWith("attachment:")
    ? findAttachment(cell, decodeName(href.slice("attachment:".length))) ?? ""
    : href;
  if (INLINE_PICTURE.test(address)) {
    return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
  }
  // The page loads nothing, so a picture at another address becomes a link.
  return LINK.test(address)
    ? `<a href="${escapeHtml(address)}">${escapeHtml(text || address)}</a>`
    : escapeHtml(text);
}

/** Builds an identifier of a heading, for links. */
function buildSlug(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
}

/** Renders the Markdown of one notebook, with unique identifiers of headings. */
export class PageMarkdown {
  readonly #slugs = new Map<string, number>();

  /**
   * Renders a cell. HTML in it is shown as text, so readers see everything that the author wrote.
   */
  render(cell: Cell): string {
    const identify = (text: string) => this.#identify(text);
    const marked = new Marked({
      renderer: {
        html: ({ text }) => escapeHtml(text),
        heading({ depth, text, tokens }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth} id="${escapeHtml(identify(text))}">${inner}</h${depth}>\n`;
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

  #identify(text: string): string {
    const base = buildSlug(text) || "section";
    const count = (this.#slugs.get(base) ?? 0) + 1;
    this.#slugs.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  }
}

/** Text of tokens without their markup. */
function joinWords(tokens: readonly Token[]): string {
  return tokens.map((token) =>
    "tokens" in token && token.tokens ? joinWords(token.tokens) : "text" in token ? token.text : ""
  ).join("");
}

/** Finds the first heading of the first level, without its markup. */
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
