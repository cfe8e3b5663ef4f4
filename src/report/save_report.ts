import { ArgumentError, ConfigurationError } from "../api/errors.ts";
import { describeValue } from "../api/error_text.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { isFrame } from "../show/check_frame.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { startProgress } from "../show/progress.ts";
import { messages } from "./content/messages.ts";
import type { Paper } from "./document/document.ts";
import { drawPages, listPages, type ReportFile } from "./report_pages.ts";
import { writePrintedPage, writePrintedTop } from "./writers/html.ts";
import { writeWorkbook } from "./writers/workbook.ts";

/** Options of {@linkcode saveReport}. */
export interface SaveReportOptions {
  /** Stops before the next file when aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS = declareOptions<SaveReportOptions>()("signal");

/** The files that {@linkcode saveReport} wrote. */
export interface SavedReport {
  /** Path of the folder. */
  readonly folder: string;
  /** Number of files. */
  readonly files: number;
  /** Total size, bytes. */
  readonly bytes: number;
}

/**
 * Unlike the store's files, a report is not synced to the disk: that would take most of the time of a large report, and a
 * report lost in a crash can be made again.
 */
const WRITE_OPTIONS = { mode: 0o666, sync: false };

const SAFE = /^(?!\.)[^\\/\0]+(\/(?!\.)[^\\/\0]+)*$/;

function checkFiles<T>(files: AsyncIterable<T> | Iterable<T>): typeof files {
  const value: unknown = files;
  const iterable = typeof value === "object" && value !== null && !isFrame(value) &&
    (Symbol.asyncIterator in value || Symbol.iterator in value);
  if (iterable) return files;
  throw new ArgumentError(
    `Cannot save a report: this is ${describeValue(value)}, not the files of a report. ` +
      "Give a report from makeFleetReport() or fleetReport()",
  );
}

/**
 * Writes the files of a report below a folder as they are made. Each file is complete or missing, and the fleet's page
 * comes last, so its links never lead to a missing page. Other files in the folder stay.
 *
 * @param files Files, such as the result of `fleetReport()`
 * @param folder Folder of the report; created if missing
 * @param options `signal` to stop
 * @throws {ArgumentError} If a name points outside of the folder
 * @throws {Error} If a file cannot be written
 *
 * @example
 * ```ts
 * import { monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { fleetReport, saveReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * const indices = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const folder = await Deno.makeTempDir();
 * const saved = await saveReport(fleetReport([{ details, indices }], { month: "2023-12" }), folder);
 * assertEquals(saved.files, 6);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveReport(
  files: AsyncIterable<ReportFile> | Iterable<ReportFile>,
  folder: string,
  options: SaveReportOptions = {},
): Promise<SavedReport> {
  readOptions("saveReport()", options, OPTIONS);
  const created = new Set<string>();
  const encoder = new TextEncoder();
  let [count, bytes] = [0, 0];
  using progress = startProgress(messages.progress, { unit: "files" });
  for await (const { name, content } of checkFiles(files)) {
    options.signal?.throwIfAborted();
    if (typeof name !== "string" || !SAFE.test(name)) {
      throw new ArgumentError(
        `Cannot save ${
          describeValue(name)
        }: it is not a path below ${folder}. Give the files from fleetReport()`,
      );
    }
    const path = `${folder}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    const body = encoder.encode(content);
    try {
      if (!created.has(parent)) await Deno.mkdir(parent, { recursive: true });
      created.add(parent);
      await writeAtomically(path, body, WRITE_OPTIONS);
    } catch (error) {
      throw new Error(
        `Cannot save ${path}: ${(error as Error).message}. Give a folder that you may write to, ` +
          `with room for the report`,
        { cause: error },
      );
    }
    count++;
    progress.advance();
    bytes += body.length;
  }
  return { folder, files: count, bytes };
}

/**
 * Writes a report, or the answer of a question, as a workbook for spreadsheets (.xlsx): a sheet for the fleet, one for
 * its table and one for each turbine, with months as dates, numbers in their units, charts as pictures, sources and
 * hashes. Each frame of an answer has a sheet; answers about a turbine are on the turbine's sheet. No cell has a formula,
 * even if the data look like one.
 *
 * @param report Result of `makeFleetReport()`, `fleetReport()` or `answerReport()`
 * @param path File that ends in `.xlsx`; an existing one is replaced
 * @param options `signal`: after an abort nothing is written
 * @throws {ArgumentError} If `report` is not a report, or the path does not end in `.xlsx`
 *
 * @example A report on two turbines, to calculate with
 * ```ts
 * import { makeFleetReport, saveWorkbook } from "@vindkit/vindkit/report";
 * import { assert } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const report = await makeFleetReport(["T1", "T2"], { month: "2023-12" });
 * await saveWorkbook(report, `${folder}/wind.xlsx`);
 * assert((await Deno.stat(`${folder}/wind.xlsx`)).isFile);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveWorkbook(
  report: AsyncIterable<ReportFile>,
  path: string,
  options: SaveReportOptions = {},
): Promise<void> {
  const { signal } = readOptions("saveWorkbook()", options, OPTIONS);
  if (!/\.xlsx$/i.test(path)) {
    throw new ArgumentError(
      `Cannot save the workbook as ${
        describeValue(path)
      }: the name does not end in .xlsx. Give a name with this ending`,
    );
  }
  const pages = await listPages(report, "save a workbook");
  const body = await writeWorkbook(pages, drawPages(pages, signal));
  await writeAtomically(path, body, { mode: 0o666 });
}

/** Options of {@linkcode savePdf}. */
export interface SavePdfOptions extends SaveReportOptions {
  /** Paper size. @default {"A4"} */
  readonly paper?: Paper;
}

const PDF_OPTIONS = declareOptions<SavePdfOptions>()("signal", { paper: "A4" });

/** Browsers that can print: names on Linux, then paths on macOS and Windows. */
const BROWSERS = [
  ..."chromium chromium-browser google-chrome google-chrome-stable microsoft-edge".split(" "),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** Flags for printing without any other activity. */
const FLAGS =
  "--headless --disable-gpu --disable-background-networking --disable-component-update " +
  "--disable-sync --no-first-run --no-pdf-header-footer --generate-pdf-document-outline";

/** Runs the first installed browser until it exits. */
async function runBrowser(args: string[], signal?: AbortSignal): Promise<Deno.CommandOutput> {
  for (const browser of BROWSERS) {
    try {
      const how = { stdin: "null", stdout: "null", stderr: "piped" } as const;
      return await new Deno.Command(browser, { args, ...how, signal })
        .output();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new ConfigurationError(
    `Cannot print the report: this machine has no Chromium, Chrome or Edge (none of ${
      BROWSERS.join(", ")
    })`,
    {
      hint:
        "Install one of these browsers, or open index.html of the report in any browser and print it there",
    },
  );
}

/**
 * Prints a report, or the answer of a question, as one PDF with numbered pages: the fleet, then each turbine on a new
 * sheet. It uses the Chromium, Chrome or Edge of this machine; page numbers need version 131 or later. No letter is below 7
 * pt.
 *
 * @param report Result of `makeFleetReport()`, `fleetReport()` or `answerReport()`
 * @param path File; an existing one is replaced
 * @param options `paper`; `signal`: after an abort nothing is written
 * @throws {ArgumentError} If `report` is not a report, or the paper is unknown
 * @throws {ConfigurationError} If no browser is installed
 * @throws {Error} If the browser fails
 *
 * @example Two turbines on paper; without a browser, the error says where to get one
 * ```ts ignore
 * import { makeFleetReport, savePdf } from "@vindkit/vindkit/report";
 *
 * const report = await makeFleetReport(["T1", "T2"], { month: "2023-12" });
 * await savePdf(report, "wind.pdf", { paper: "Letter" });
 * ```
 */
export async function savePdf(
  report: AsyncIterable<ReportFile>,
  path: string,
  options: SavePdfOptions = {},
): Promise<void> {
  const { paper, signal } = readOptions("savePdf()", options, PDF_OPTIONS);
  if (paper !== "A4" && paper !== "Letter") {
    throw new ArgumentError(
      `Cannot print on ${describeValue(paper)}: the paper is unknown. Give "A4" or "Letter"`,
    );
  }
  const pages = await listPages(report, "print");
  const folder = await Deno.makeTempDir({ prefix: "vindkit_print_" });
  try {
    const [html, pdf] = [`${folder}/report.html`, `${folder}/report.pdf`];
    await Deno.writeTextFile(html, writePrintedTop(pages[0].document, paper));
    for await (const { path, document, drawn } of drawPages(pages, signal)) {
      await Deno.writeTextFile(html, writePrintedPage(document, path, drawn), { append: true });
    }
    const flags = Deno.uid() === 0 ? ["--no-sandbox"] : []; // Chromium refuses to run its sandbox as root
    flags.push(`--user-data-dir=${folder}/profile`, `--print-to-pdf=${pdf}`, html);
    const { stderr } = await runBrowser([...FLAGS.split(" "), ...flags], signal);
    const body = await Deno.readFile(pdf).catch((cause) => {
      const log = new TextDecoder().decode(stderr).slice(-500).trim();
      throw new Error(
        `Cannot print ${path}: the browser did not write a PDF (${log}). Open index.html of the report in any browser and print it there`,
        { cause },
      );
    });
    await writeAtomically(path, body, { mode: 0o666 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
