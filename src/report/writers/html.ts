import { visibleText } from "../../api/error_text.ts";
import type { DrawingThread } from "./drawing_thread.ts";
import { diverging } from "../../plots/drawing/theme.ts";
import { escapeHtml, openDocument } from "../../show/text/html.ts";
import { messages } from "../content/messages.ts";
import { formatStamp } from "../content/sources.ts";
import type { Strip } from "../content/turbine_content.ts";
import type {
  Block,
  Cell,
  Head,
  Link,
  Paper,
  Picture,
  ReportDocument,
  Row,
  Section,
} from "../document/document.ts";
import { buildPrintStyles, STYLES } from "./styles.ts";

/** A piece of HTML; everything else on a page is escaped. */
class Markup {
  /**
   * Takes HTML unchanged.
   *
   * @param html Trusted HTML
   */
  constructor(readonly html: string) {}
}

/** Values interpolated in {@linkcode markup}. */
type Content = Markup | string | number | readonly Content[];

function renderContent(content: Content): string {
  if (content instanceof Markup) return content.html;
  if (typeof content === "object") return content.map(renderContent).join("\n");
  return escapeHtml(visibleText(String(content)));
}

/** Builds HTML: it escapes interpolated texts, shows their invisible characters, and takes markup unchanged. */
function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(
    parts.reduce((html, part, i) => html + renderContent(contents[i - 1]) + part),
  );
}

/** Joins numbers and their units by no-break spaces. */
function joinUnits(text: string): string {
  return text.replace(/(\d) (?=(?:%|MWh|kW|km|m)(?![\p{L}\d]))/gu, "$1\u00a0");
}

/** Bounds of the classes, %: tens around 100. */
const BOUNDS = diverging.slice(1).map((_, i) => 100 + 10 * (i - (diverging.length - 2) / 2));

type StripMonth = Strip[number];

/** Class of a value, from 0. */
function findClass(value: number): number {
  return BOUNDS.filter((bound) => value >= bound).length;
}

/** Twelve months as a line of coloured fields, hatched without a value, and marked if the value may change. */
function buildStrip(months: Strip): Markup {
  const known = months.flatMap(({ month, value }) =>
    value === null ? [] : [[value, month] as const]
  ).sort(([a], [b]) => a - b);
  const missing = months.length - known.length;
  const label = messages.strip(known[0], known[known.length - 1], missing);
  const field = ({ value, status }: StripMonth) => {
    if (value === null) return markup`<i class="n"></i>`;
    const mark = status === "preliminary" ? " p" : "";
    return markup`<i class="c${findClass(value)}${mark}"></i>`;
  };
  return markup`<span role="img" aria-label="${label}">${months.map(field)}</span>`;
}

/** Months as a line of words. */
function buildVerdicts(items: Extract<Block, { kind: "verdicts" }>["items"]): Markup {
  return markup`<ol class="verdict-strip">${
    items.map(({ month, verdict }) =>
      markup`<li class="v-${(verdict ?? "none").replaceAll(" ", "-")}"><b>${
        messages.shortMonth(month)
      }</b>${verdict ?? missing}</li>`
    )
  }</ol>`;
}

/** Legend of the colours of the strips. */
function buildStripLegend(): Markup {
  const [first, last] = [BOUNDS[0], BOUNDS[BOUNDS.length - 1]].map(String);
  return markup`<span class="strip" aria-hidden="true">${
    diverging.map((_, i) => markup`<i class="c${i}"></i>`)
  }</span> ${messages.fleet.stripLegend(first, last)}`;
}

/** Dash for a missing value. */
const missing = markup`<span class="missing" role="img" aria-label="${messages.noValue}">–</span>`;

/** Hint on narrow screens above a box that scrolls; screen readers do not need it. */
const scrollHint = markup`<p class="hint" aria-hidden="true">${messages.scroll}</p>`;

const unitOf = (unit: string) => markup`<span class="unit">${unit}</span>`;

function writeHead({ label, unit, hint, kind }: Head): Markup {
  const title = hint === undefined ? "" : markup` title="${hint}"`;
  const look = kind === undefined ? "" : markup` class="text"`;
  return markup`<th scope="col"${title}${look}>${label}${
    unit ? markup`<br>${unitOf(unit)}` : ""
  }</th>`;
}

function writeLink(text: string, link: Link | undefined): Content {
  if (!link) return text;
  const address = "file" in link
    ? `turbines/${encodeURIComponent(link.file)}.html`
    : `#${link.anchor}`;
  return markup`<a href="${address}">${text}</a>`;
}

function writeCell({ text, wraps, strip }: Cell, { kind }: Head): Markup {
  if (kind === "strip") {
    const content = strip ? buildStrip(strip) : text === null ? missing : text;
    return markup`<td class="strip">${content}</td>`;
  }
  const content = text === null
    ? missing
    : wraps
    ? markup`<span class="range">${text}</span>`
    : text;
  return markup`<td${kind === "words" ? markup` class="text"` : ""}>${content}</td>`;
}

function writeRow({ cells: [name, ...cells], kind, anchor }: Row, heads: readonly Head[]): Markup {
  const look = kind ? markup` class="${kind}"` : "";
  const target = anchor ? markup` id="${anchor}"` : "";
  return markup`<tr${look}${target}><th scope="row">${writeLink(name.text ?? "", name.link)}</th>${
    cells.map((cell, i) => writeCell(cell, heads[i + 1]))
  }</tr>`;
}

/** The drawings of a picture: for a page, and optionally for a phone and half a sheet of paper. */
interface Drawing {
  readonly wide: string;
  readonly narrow?: string | undefined;
}

/** The pictures of a document, drawn. */
export type Drawings = ReadonlyMap<Picture, Drawing>;

/** A drawn chart; a wide chart has a separate drawing for phones. */
function writePicture({ look, chart, missing: why }: Picture, drawn: Drawing | undefined): Content {
  if (!chart) return why ? markup`<p class="note">${why}</p>` : "";
  const { wide, narrow } = drawn!;
  return narrow === undefined
    ? markup`<figure class="${look}">${new Markup(wide)}</figure>`
    : markup`<figure class="${look} wide">${new Markup(wide)}</figure>
<figure class="${look} phone">${new Markup(narrow)}</figure>`;
}

function writeBlock(block: Block, drawn: Drawings): Content {
  switch (block.kind) {
    case "text": {
      const { text, look, legend } = block;
      const more = legend ? [markup`${legend}`, buildStripLegend()] : [];
      return markup`<p${look ? markup` class="${look}"` : ""}>${[joinUnits(text), ...more]}</p>`;
    }
    case "figures":
      return markup`<dl class="${block.items[0].sentence === undefined ? "headline" : "sentences"}">
${
        block.items.map(({ label, value, unit, sentence }) =>
          markup`<div><dt>${label}</dt><dd class="value">${
            value === null ? missing : [messages.figure(value, unit), unitOf(unit)]
          }</dd>${sentence === undefined ? "" : markup`<dd>${joinUnits(sentence)}</dd>`}</div>`
        )
      }
</dl>`;
    case "verdicts":
      return buildVerdicts(block.items);
    case "pictures": {
      const pictures = block.items.map((picture) => writePicture(picture, drawn.get(picture)));
      return block.items.length > 1 ? markup`<div class="charts">${pictures}</div>` : pictures;
    }
    case "table":
      return block.detail
        ? ""
        : markup`${scrollHint}<div class="box ${block.name}" role="region" aria-label="${block.label}" tabindex="0"><table>
<thead><tr>${block.heads.map(writeHead)}</tr></thead>
${
          block.groups.map((rows) =>
            markup`<tbody>
${rows.map((row) => writeRow(row, block.heads))}
</tbody>`
          )
        }
</table></div>`;
    case "facts":
    case "terms":
      return markup`<dl class="${block.kind}">
${
        block.items.map(([term, text]) =>
          markup`<div><dt>${term}</dt><dd>${text ?? messages.notKnown}</dd></div>`
        )
      }
</dl>`;
    case "list":
      return markup`<ul>
${block.items.map((item) => markup`<li>${item}</li>`)}
</ul>`;
  }
}

function writeSection({ id, title, blocks }: Section, drawn: Drawings): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${blocks.map((block) => writeBlock(block, drawn))}
</section>`;
}

/** Draws the charts of a document. */
export async function drawPictures(
  { sections }: ReportDocument,
  thread: DrawingThread,
): Promise<Drawings> {
  const pictures = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => block.kind === "pictures" ? block.items : [])
  );
  const drawn = pictures.map(async (picture): Promise<[Picture, Drawing][]> => {
    const { chart, narrow } = picture;
    if (!chart) return [];
    const [wide, phone] = await Promise.all([thread.svg(chart), narrow && thread.svg(narrow)]);
    return [[picture, { wide, narrow: phone }]];
  });
  return new Map((await Promise.all(drawn)).flat());
}

/** The content of a page. */
function writeBody(
  { title, about, back, sections, sources, origin }: ReportDocument,
  drawn: Drawings,
): Markup {
  const nav = back === undefined ? "" : markup`<nav><a href="../index.html">${back}</a></nav>`;
  const banner = origin.world === "sample"
    ? markup`<p class="synthetic" role="note">${messages.synthetic}</p>`
    : "";
  return markup`<header>
${nav}
<h1>${title}</h1>
<p class="about">${about}</p>
${banner}
</header>
<main id="main">
${sections.map((section) => writeSection(section, drawn))}
</main>
<footer>
<h2>${messages.headings.sources}</h2>
<ul>
${sources.map((line) => markup`<li>${line}</li>`)}
</ul>
<p>${messages.sources.made(formatStamp(origin.generatedAt))}</p>
</footer>`;
}

const writeTop = (title: string, styles: string) =>
  new Markup(openDocument(visibleText(title), styles, messages.language));

/** Writes a report as a self-contained HTML document without scripts. */
export async function writeHtml(
  document: ReportDocument,
  thread: DrawingThread,
): Promise<string> {
  const drawn = await drawPictures(document, thread);
  return markup`${writeTop(document.title, STYLES)}
<body class="${document.of}">
<a class="skip" href="#main">${messages.skip}</a>
${writeBody(document, drawn)}
</body>
</html>
`.html;
}

/** Starts one document for all pages of a report, for paper. */
export function writePrintedTop({ title, origin }: ReportDocument, paper: Paper): string {
  const notice = origin.world === "sample" ? messages.synthetic : "";
  return writeTop(title, STYLES + buildPrintStyles(paper, notice)).html + "\n<body>\n";
}

/** Writes a page of that document: links to other pages lead to their anchors in it. */
export function writePrintedPage(
  document: ReportDocument,
  path: string,
  drawn: Drawings,
): string {
  const body = writeBody({ ...document, back: undefined }, drawn).html
    .replace(/ href="(turbines\/[^"]+)\.html"/g, ' href="#$1"')
    .replace(/<style>.*?<\/style>/gs, ""); // screen colours: with hundreds of charts they take minutes
  return markup`<div class="sheet ${document.of}" id="${path}">${new Markup(body)}</div>\n`.html;
}
