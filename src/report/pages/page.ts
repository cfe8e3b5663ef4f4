import { figures } from "../../api/columns/columns.ts";
import { type Content, Markup, markup } from "./markup.ts";
import { messages } from "../content/messages.ts";
import { type ReportOrigin, type SourceFacts, sourceText, stampText } from "../content/sources.ts";
import { STYLES } from "./styles.ts";

const CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'";

interface PageParts {
  readonly title: string;
  /** Line below the title. */
  readonly about: string;
  /** Before everything else: a way back. */
  readonly before?: Content;
  readonly main: Content;
  readonly sources: readonly string[];
  readonly origin: ReportOrigin;
}

/** What Vega says of each part of a drawing: the picture as a whole has a text, and its parts have none. */
const PART_ROLES = / role="graphics-(?:symbol|object)" aria-roledescription="[^"]*"/g;

/** A chart that is drawn, in a box that scrolls where it is too wide to be read otherwise. */
export function figure(svg: string): Markup {
  return markup`<figure tabindex="0">${new Markup(svg.replace(PART_ROLES, ""))}</figure>`;
}

/** What the figures mean, for the foot of a page. */
function definitions(): Markup {
  const { labels, headings } = messages;
  const terms: readonly (readonly [string, string])[] = [
    ...figures.map((column) => [messages.labelWithUnit(column), messages.meaning(column)] as const),
    [labels.interval, messages.intervalMeaning],
    [labels.produced, messages.comparison],
  ];
  return markup`<section class="definitions" aria-labelledby="definitions">
<h2 id="definitions">${headings.definitions}</h2>
<p>${messages.normal}</p>
<dl class="terms">
${terms.map(([term, text]) => markup`<div><dt>${term}</dt><dd>${text}</dd></div>`)}
</dl>
<p>${messages.missingValue}</p>
</section>`;
}

/** Lines on where the figures of a page come from. */
export function sourceLines(sources: readonly SourceFacts[], origin: ReportOrigin): string[] {
  return [...sources.map(sourceText), ...origin.attribution];
}

/** One HTML document that needs nothing else, in which nothing runs and nothing loads. */
export function pageOf({ title, about, before = "", main, sources, origin }: PageParts): string {
  const banner = origin.world === "sample"
    ? markup`<p class="synthetic" role="note">${messages.synthetic}</p>`
    : "";
  return markup`<!doctype html>
<html lang="${messages.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CSP)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLES)}</style>
</head>
<body>
<a class="skip" href="#main">${messages.skip}</a>
<header>
${before}
<h1>${title}</h1>
<p class="about">${about}</p>
${banner}
</header>
<main id="main">
${main}
${definitions()}
</main>
<footer>
<h2>${messages.headings.sources}</h2>
<ul>
${sources.map((line) => markup`<li>${line}</li>`)}
</ul>
<p>${messages.sources.made(stampText(origin.generatedAt))}</p>
</footer>
</body>
</html>
`.html;
}
