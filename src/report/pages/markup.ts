import { messages } from "../content/messages.ts";
import { visibleText } from "../../api/error_text.ts";
import { escapeHtml } from "../../show/text/html.ts";

/** A piece of HTML; everything else on a page is escaped. */
export class Markup {
  readonly html: string;

  /**
   * Takes HTML as it is.
   *
   * @param html HTML that is known to be harmless
   */
  constructor(html: string) {
    this.html = html;
  }
}

/** Content of the gaps of {@linkcode markup}. */
export type Content = Markup | string | number | readonly Content[];

function renderContent(content: Content): string {
  if (content instanceof Markup) return content.html;
  if (typeof content === "object") return content.map(renderContent).join("\n");
  return escapeHtml(visibleText(String(content)));
}

/** Writes HTML: texts in the gaps are escaped, invisible characters in them are shown, markup is taken as it is. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(
    parts.reduce((html, part, i) => html + renderContent(contents[i - 1]) + part),
  );
}

/** Joins numbers and their units by no-break spaces. */
export function joinUnits(text: string): string {
  return text.replace(/(\d) (?=(?:%|MWh|kW|km|m)(?![\p{L}\d]))/gu, "$1\u00a0");
}

/** What narrow screens say above a box that scrolls; a screen reader does not need it. */
export const scrollHint: Markup = markup`<p class="hint" aria-hidden="true">${messages.scroll}</p>`;
