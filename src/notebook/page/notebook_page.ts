import { SYNTHETIC } from "../../api/world.ts";
import { escapeHtml } from "../../show/text/escape.ts";
import type { Cell, NotebookDocument } from "../document/notebook_document.ts";
import type { Output } from "../document/outputs.ts";
import { renderOutput } from "./page_outputs.ts";
import { pageStyles } from "./page_styles.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** The page may only show itself: nothing runs, nothing is loaded, nothing is sent. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'";

/** Options of {@linkcode notebookPage}. */
export interface NotebookPageOptions {
  /** Title where the notebook has no heading of the first level. @default {"Notebook"} */
  readonly title?: string;
}

/** Whether an output says that its figures are invented. */
function isSynthetic(output: Output): boolean {
  return JSON.stringify(output).includes(SYNTHETIC);
}

/** The line above a page with invented figures; a part of it may be read alone, so that each output says it as well. */
const BANNER = `<p class="synthetic" role="note"><b>${SYNTHETIC}</b>: ` +
  "this page has invented figures of the built-in sample, not real data</p>\n";

function renderCode({ source, outputs }: Cell): string {
  const code = source.trim() === ""
    ? ""
    : `<pre class="code"><code>${escapeHtml(source)}</code></pre>`;
  const shown = outputs.length === 0
    ? ""
    : `<div class="outputs" role="group" aria-label="Output" tabindex="0">\n${
      outputs.map(renderOutput).join("\n")
    }\n</div>`;
  return [code, shown].filter((part) => part !== "").join("\n");
}

const OPTIONS: OptionNames<NotebookPageOptions> = {
  title: "optional",
};

/**
 * Writes a notebook as one HTML page: text, code, tables, and charts as SVG. The page needs no network and runs nothing.
 * HTML of an output is used if it is harmless; otherwise its plain text is shown.
 *
 * @param notebook The notebook, with its outputs
 * @param options Title for a notebook without one
 */
export async function notebookPage(
  notebook: NotebookDocument,
  options: NotebookPageOptions = {},
): Promise<string> {
  checkOptions("notebookPage()", options, OPTIONS);
  // Imported here: runs without pages do not need it.
  const { PageMarkdown, findTitle } = await import("./page_markdown.ts");
  const markdown = new PageMarkdown();
  const heading = findTitle(notebook.cells);
  const title = heading ?? options.title ?? "Notebook";
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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyles}</style>
</head>
<body>
<main>
${synthetic ? BANNER : ""}${heading === undefined ? `<h1>${escapeHtml(title)}</h1>\n` : ""}${
    parts.join("\n")
  }
</main>
</body>
</html>
`;
}
