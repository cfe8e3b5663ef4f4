import { shownFigures } from "../content/turbine_content.ts";
import { type Content, Markup, markup, scrollHint } from "./markup.ts";
import { messages } from "../content/messages.ts";
import {
  formatSource,
  formatStamp,
  type ReportOrigin,
  type SourceFacts,
} from "../content/sources.ts";
import { STYLES } from "./styles.ts";

const CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'";

interface PageParts {
  readonly title: string;
  /** Line below the title. */
  readonly about: string;
  /** Content before the title: a link back. */
  readonly before?: Content;
  readonly main: Content;
  /** Whether it is of one turbine: on paper its sentences stand for the definitions. */
  readonly single?: boolean;
  readonly sources: readonly string[];
  readonly origin: ReportOrigin;
}

/** A drawn chart, in a box that scrolls where the chart is too wide. */
export function buildFigure(svg: string): Markup {
  return markup`${scrollHint}<figure tabindex="0">${new Markup(svg)}</figure>`;
}

/** What the figures mean, for the foot of a page. */
function buildDefinitions(): Markup {
  const { labels, headings } = messages;
  const terms: readonly (readonly [string, string])[] = [
    ...shownFigures.map((column) =>
      [messages.labelWithUnit(column), messages.meaning(column)] as const
    ),
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
export function listSources(sources: readonly SourceFacts[], origin: ReportOrigin): string[] {
  return [...sources.map(formatSource), ...origin.attribution];
}

/** Builds an HTML document that needs no other file, runs no script and loads nothing. */
export function buildPage(
  { title, about, before = "", main, single = false, sources, origin }: PageParts,
): string {
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
<body${single ? markup` class="sheet"` : ""}>
<a class="skip" href="#main">${messages.skip}</a>
<header>
${before}
<h1>${title}</h1>
<p class="about">${about}</p>
${banner}
</header>
<main id="main">
${main}
${buildDefinitions()}
</main>
<footer>
<h2>${messages.headings.sources}</h2>
<ul>
${sources.map((line) => markup`<li>${line}</li>`)}
</ul>
<p>${messages.sources.made(formatStamp(origin.generatedAt))}</p>
</footer>
</body>
</html>
`.html;
}
