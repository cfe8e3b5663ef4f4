import { ArgumentError, ConfigurationError } from "../api/errors.ts";
import { describeValue } from "../api/error_text.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import type { Paper } from "./document/document.ts";
import { drawPages, listPages, type ReportFile } from "./report_pages.ts";
import type { SaveReportOptions } from "./save_report.ts";
import { writePrintedPage, writePrintedTop } from "./writers/html.ts";

/** Options of {@linkcode savePdf}. */
export interface SavePdfOptions extends SaveReportOptions {
  /** Paper that it is printed on. @default {"A4"} */
  readonly paper?: Paper;
}

const OPTIONS = declareOptions<SavePdfOptions>()("signal", { paper: "A4" });

/** Browsers that print, by their names on Linux, and where macOS and Windows have them. */
const BROWSERS = [
  ..."chromium chromium-browser google-chrome google-chrome-stable microsoft-edge".split(" "),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** How a browser prints and does nothing else. */
const FLAGS =
  "--headless --disable-gpu --disable-background-networking --disable-component-update " +
  "--disable-sync --no-first-run --no-pdf-header-footer --generate-pdf-document-outline";

/** Runs the first browser that is there to its end. */
async function runBrowser(args: string[], signal?: AbortSignal): Promise<Deno.CommandOutput> {
  for (const browser of BROWSERS) {
    try {
      const how = { stdin: "null", stdout: "null", stderr: "piped" } as const;
      return await new Deno.Command(browser, { args, ...how, ...(signal ? { signal } : {}) })
        .output();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new ConfigurationError(
    `Cannot print: this machine has no Chromium, Chrome or Edge (none of ${BROWSERS.join(", ")})`,
    { hint: "Install one, or open index.html of the report in any browser and print it there" },
  );
}

/**
 * Prints a report, or the answer of a question, as one PDF with numbered pages: the fleet, then each turbine from a new
 * sheet on. The Chromium, Chrome or Edge of this machine prints it, from 131 on with numbers. No letter is below 7 pt.
 *
 * @param report What `makeFleetReport()`, `fleetReport()` or `answerReport()` returned
 * @param path File; one that exists is replaced
 * @param options `paper`; `signal`: nothing is written once it is aborted
 * @throws {ArgumentError} If it is no report, or there is no such paper
 * @throws {ConfigurationError} If there is no browser
 * @throws {Error} If the browser fails
 *
 * @example Two turbines on paper; what has no browser is told where to get one
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
  const { paper, signal } = readOptions("savePdf()", options, OPTIONS);
  if (paper !== "A4" && paper !== "Letter") {
    throw new ArgumentError(`Cannot print on ${describeValue(paper)}: give "A4" or "Letter"`);
  }
  const pages = await listPages(report, "print");
  const folder = await Deno.makeTempDir({ prefix: "vindkit_print_" });
  try {
    const [html, pdf] = [`${folder}/report.html`, `${folder}/report.pdf`];
    await Deno.writeTextFile(html, writePrintedTop(pages[0].document, paper));
    for await (const { path, document, drawn } of drawPages(pages, signal)) {
      await Deno.writeTextFile(html, writePrintedPage(document, path, drawn), { append: true });
    }
    const own = Deno.uid() === 0 ? ["--no-sandbox"] : []; // with it Chromium refuses to run as root
    own.push(`--user-data-dir=${folder}/profile`, `--print-to-pdf=${pdf}`, html);
    const { stderr } = await runBrowser([...FLAGS.split(" "), ...own], signal);
    const body = await Deno.readFile(pdf).catch((cause) => {
      const said = new TextDecoder().decode(stderr).slice(-500);
      throw new Error(`Cannot print ${path}: the browser made no PDF. It said: ${said}`, { cause });
    });
    await writeAtomically(path, body, { mode: 0o666 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
