import { SYNTHETIC } from "../../api/world.ts";
import { escapeHtml, openDocument } from "../../show/text/html.ts";
import type { Cell, MimeBundle, NotebookDocument, Output } from "../document/notebook_document.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Style sheet of the pages: legible on a screen, on a phone, in the dark and on A4. */
export const pageStyles: string = `
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #595959; --code: #f4f5f7; --line: #d8dbe0; --link: #005a9c; --bad: #a3130a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181c; --faint: #a8adb5; --code: #21252b; --line: #3a3f47; --link: #7db8f0; --bad: #ff9a8f; }
}
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; break-after: avoid; }
h1 { margin-top: 0; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, SFMono-Regular, Consolas, monospace; font-size: .875em; }
/* Code wraps, so none of it is out of sight. */
pre { margin: .5rem 0; padding: .75rem 1rem; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code { background: var(--code); border-left: 3px solid var(--link); border-radius: 3px; }
:not(pre) > code { background: var(--code); padding: .1em .3em; border-radius: 3px; }
/* Content wider than the page scrolls, and fades out at the edge until you reach its end. */
@property --fade { syntax: "<length>"; inherits: false; initial-value: 0px; }
@keyframes fade { from { --fade: 2rem; } }
.outputs { margin: .5rem 0 1.5rem; overflow-x: auto; mask: linear-gradient(to left, transparent, #000 var(--fade)); animation: fade linear; animation-timeline: scroll(self inline); }
.outputs:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.outputs .table > div { overflow: visible !important; }
/* Tables of results are wider than a line of text, so they may use the margin. */
@media (min-width: 60rem) { .outputs { width: max-content; min-width: 100%; max-width: min(76rem, 100vw - 4rem); margin-left: 50%; transform: translateX(-50%); } }
.outputs pre { padding: .25rem 1rem; white-space: pre; }
pre.error { color: var(--bad); white-space: pre-wrap; }
.synthetic { margin: 0 0 1.5rem; padding: .35em .75em; background: #e69f00; color: #1a1a1a; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.note, .outputs pre:not(.error) { color: var(--faint); }
img { max-width: 100%; height: auto; }
img.chart { display: block; background: #fff; border-radius: 4px; }
@media screen and (max-width: 40rem) { img.chart { max-width: none; width: 36rem; } }
blockquote { margin: 1em 0; padding: 0 1em; border-left: 3px solid var(--line); color: var(--faint); }
section.text table { border-collapse: collapse; }
section.text th, section.text td { border-bottom: 1px solid var(--line); padding: .25em .8em; text-align: left; }
@page { size: A4; margin: 16mm 12mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444; --code: #f4f5f7; --line: #bbb; --link: #000; --bad: #8a0000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .outputs pre { white-space: pre-wrap; }
  .outputs { overflow: visible; mask: none; }
  /* Tables bring their own styles, made for screens that scroll. */
  .outputs th, .outputs td { white-space: normal !important; overflow-wrap: anywhere; padding: 1pt 4pt 1pt 0 !important; font-size: 7.5pt; }
  img, tr { break-inside: avoid; }
}
`;

/** Elements that only format text. */
const ELEMENTS = new Set(
  ("a b br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins kbd li " +
    "mark ol p pre s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var")
    .split(" "),
);

/** Elements without an end tag. */
const VOID = new Set(["br", "col", "hr"]);

/** Attributes that load and execute nothing. */
const ATTRIBUTES = new Set(
  "abbr align aria-hidden aria-label class colspan dir headers lang open role rowspan scope style title"
    .split(" "),
);

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/giy;

/** Parts of a style that could load a file, move the element, or hide such parts. */
const UNSAFE_STYLE = /url|image|@|\\|expression|position|&/i;

function isHarmless(name: string, value: string): boolean {
  if (name === "href") return /^(https?:|mailto:|#)/i.test(value);
  return ATTRIBUTES.has(name) && !(name === "style" && UNSAFE_STYLE.test(value));
}

/**
 * Whether HTML is plain: known elements, well nested, with attributes that load and execute nothing. Other HTML is not
 * sanitized but never shown as HTML.
 */
export function isPlainHtml(html: string): boolean {
  const open: string[] = [];
  for (let i = html.indexOf("<"); i >= 0; i = html.indexOf("<", i)) {
    TAG.lastIndex = i;
    const match = TAG.exec(html);
    if (!match) return false;
    const [tag, slash, name, attributes] = match;
    const element = name.toLowerCase();
    if (!ELEMENTS.has(element)) return false;
    if (slash) {
      if (attributes !== "" || open.pop() !== element) return false;
    } else {
      for (const [, key, value = ""] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)) {
        if (!isHarmless(key.toLowerCase(), value)) return false;
      }
      if (!VOID.has(element)) open.push(element);
    }
    i += tag.length;
  }
  return open.length === 0;
}

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function readText(data: MimeBundle, type: string): string | undefined {
  const value = data[type];
  return typeof value === "string" ? value : undefined;
}

function renderPicture(type: string, base64: string, altText: string): string {
  return `<img class="chart" src="data:${type};base64,${base64}" alt="${escapeHtml(altText)}">`;
}

/** Description of a picture: the plain text in its bundle. */
function findAltText(data: MimeBundle): string {
  return readText(data, "text/plain")?.trim() || "image without a description";
}

/** Renders the richest format of a bundle that the page can show without running or loading anything. */
function renderBundle(data: MimeBundle): string {
  const svg = readText(data, "image/svg+xml");
  if (svg !== undefined) {
    // As a separate picture it cannot run scripts, and its identifiers do not clash with other charts'.
    const base64 = new TextEncoder().encode(svg).toBase64();
    return renderPicture("image/svg+xml", base64, findAltText(data));
  }
  for (const type of PICTURES) {
    const base64 = readText(data, type)?.replace(/\s/g, "");
    if (base64 && /^[A-Za-z0-9+/=]+$/.test(base64)) {
      return renderPicture(type, base64, findAltText(data));
    }
  }
  const html = readText(data, "text/html");
  if (html !== undefined && isPlainHtml(html)) return `<div class="table">${html}</div>`;
  const plain = readText(data, "text/plain");
  if (plain !== undefined) return `<pre>${escapeHtml(plain)}</pre>`;
  return `<p class="note">Only a notebook can show this output: ${
    escapeHtml(Object.keys(data).join(", "))
  }</p>`;
}

const renderError = (text: string) => `<pre class="error">${escapeHtml(text)}</pre>`;

function renderOutput(output: Output): string {
  switch (output.output_type) {
    case "stream": {
      const kind = output.name === "stderr" ? ` class="error"` : "";
      return `<pre${kind}>${escapeHtml(output.text)}</pre>`;
    }
    case "error":
      return renderError(`${output.ename}: ${output.evalue}`);
    default:
      return renderBundle(output.data);
  }
}

/** Options of {@linkcode notebookPage}. */
export interface NotebookPageOptions {
  /** Title if the notebook has no heading of the first level. @default {"Notebook"} */
  readonly title?: string;
}

/** Whether an output shows the mark of invented figures. */
function isSynthetic(output: Output): boolean {
  return JSON.stringify(output).includes(SYNTHETIC);
}

/** The line above a page with invented figures. Each output has the mark too, because a part may be read alone. */
const BANNER = `<p class="synthetic" role="note"><b>${SYNTHETIC}</b>: ` +
  "this page shows invented figures of the built-in sample, not real data</p>\n";

function renderCode({ source, outputs }: Cell): string {
  const code = source.trim() === ""
    ? ""
    : `<pre class="code"><code>${escapeHtml(source)}</code></pre>`;
  const results = outputs.length === 0
    ? ""
    : `<div class="outputs" role="group" aria-label="Output" tabindex="0">\n${
      outputs.map(renderOutput).join("\n")
    }\n</div>`;
  return [code, results].filter((part) => part !== "").join("\n");
}

const OPTIONS = declareOptions<NotebookPageOptions>()("", { title: "Notebook" });

/**
 * Renders the content of a notebook as HTML, for a page with {@linkcode pageStyles}.
 *
 * @param notebook The notebook, with its outputs
 * @param options Title for a notebook without one
 * @returns Title (its first heading of the first level, else the option); text, code and outputs as HTML, below the mark of
 * invented figures
 */
export async function renderNotebook(
  notebook: NotebookDocument,
  { title: usual = "Notebook" }: NotebookPageOptions = {},
) {
  // imported late, because runs without pages do not need it
  const { PageMarkdown, findTitle } = await import("./page_markdown.ts");
  const markdown = new PageMarkdown();
  const heading = findTitle(notebook.cells);
  const title = heading ?? usual;
  const synthetic = notebook.cells.some(({ outputs }) => outputs.some(isSynthetic));
  const parts = notebook.cells.map((cell) => {
    switch (cell.cell_type) {
      case "markdown":
        return `<section class="text">\n${markdown.render(cell)}</section>`;
      case "code":
        return `<section>\n${renderCode(cell)}\n</section>`;
      default:
        return `<pre>${escapeHtml(cell.source)}</pre>`;
    }
  });
  const html = `${synthetic ? BANNER : ""}${
    heading === undefined ? `<h1>${escapeHtml(title)}</h1>\n` : ""
  }${parts.join("\n")}`;
  return { title, html };
}

/**
 * Writes a notebook as one HTML page: text, code, tables, and charts as SVG. The page needs no network and runs no scripts.
 * Harmless HTML of an output is kept; otherwise the page shows its plain text.
 *
 * @param notebook The notebook, with its outputs
 * @param options Title for a notebook without one
 */
export async function notebookPage(
  notebook: NotebookDocument,
  options: NotebookPageOptions = {},
): Promise<string> {
  const chosen = readOptions("notebookPage()", options, OPTIONS);
  const { title, html } = await renderNotebook(notebook, chosen);
  return `${openDocument(title, pageStyles)}
<body>
<main>
${html}
</main>
</body>
</html>
`;
}
