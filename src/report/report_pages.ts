import { describeValue } from "../api/error_text.ts";
import { ArgumentError } from "../api/errors.ts";
import { startProgress } from "../show/progress.ts";
import { messages } from "./content/messages.ts";
import type { ReportDocument } from "./document/document.ts";
import { DrawingThread } from "./writers/drawing_thread.ts";
import { type Drawings, drawPictures, writeHtml } from "./writers/html.ts";
import { writeMarkdown } from "./writers/markdown.ts";

/** A file of a report. */
export interface ReportFile {
  /** Path below the folder of the report, with `/` between its parts: "index.html", "turbines/T1.md". */
  readonly name: string;
  /** The file. */
  readonly content: string;
}

/** A page of a report before writing: files, workbook and PDF are written from the same tree. */
export interface ReportPage {
  /** Path of its files without their ending: "index", "turbines/T1". */
  readonly path: string;
  readonly document: ReportDocument;
  /** Its figures as JSON. */
  readonly formatJson: () => string;
}

/** The pages behind the files of a report. */
const pagesByReport = new WeakMap<object, () => AsyncIterable<ReportPage>>();

/** Registers an object as a report with these pages. */
export function rememberPages<T extends object>(
  report: T,
  pages: () => AsyncIterable<ReportPage>,
): T {
  pagesByReport.set(report, pages);
  return report;
}

/** Applies `act` to each page in order; with a second thread for drawing, it already builds the next page meanwhile. */
async function* doAhead<T>(
  pages: Iterable<ReportPage> | AsyncIterable<ReportPage>,
  act: (page: ReportPage, thread: DrawingThread) => Promise<T>,
): AsyncGenerator<T> {
  using thread = new DrawingThread();
  let before: Promise<T> | undefined;
  for await (const page of pages) {
    const next = act(page, thread);
    next.catch(() => {}); // rethrown when it is awaited
    if (before) yield await before;
    before = thread.isRunning ? next : void (yield await next);
  }
  if (before) yield await before;
}

/** Writes pages as HTML, Markdown and JSON, as they come. */
export function writePages(pages: () => AsyncIterable<ReportPage>): AsyncGenerator<ReportFile> {
  async function* write(): AsyncGenerator<ReportFile> {
    const written = doAhead(pages(), async ({ path, document, formatJson }, thread) => [
      { name: `${path}.html`, content: await writeHtml(document, thread) },
      { name: `${path}.md`, content: writeMarkdown(document) },
      { name: `${path}.json`, content: formatJson() },
    ]);
    for await (const files of written) yield* files;
  }
  return rememberPages(write(), pages);
}

/** Sorts numbers in names as numbers. */
const natural = new Intl.Collator("en", { numeric: true });

/**
 * The pages of a report in reading order: the fleet, then its turbines by name.
 *
 * @throws {ArgumentError} If `report` is not a report
 */
export async function listPages(report: unknown, asked: string): Promise<ReportPage[]> {
  const pages = typeof report === "object" && report !== null
    ? pagesByReport.get(report)
    : undefined;
  if (!pages) {
    throw new ArgumentError(
      `Cannot ${asked}: this is ${describeValue(report)}, not a report. ` +
        "Give a report from makeFleetReport(), fleetReport() or answerReport()",
    );
  }
  const turbines = await Array.fromAsync(pages());
  const fleet = turbines.pop()!;
  return [fleet, ...turbines.sort((a, b) => natural.compare(a.document.title, b.document.title))];
}

/** Draws the charts of pages, in their order. */
export async function* drawPages(
  pages: readonly ReportPage[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ReportPage & { readonly drawn: Drawings }> {
  using progress = startProgress(messages.progress, { total: pages.length, unit: "pages" });
  const drawn = doAhead(pages, async (page, thread) => {
    signal?.throwIfAborted();
    return { ...page, drawn: await drawPictures(page.document, thread) };
  });
  for await (const page of drawn) {
    yield page;
    progress.advance();
  }
}
