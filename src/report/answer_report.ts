import type { DataFrame } from "nodejs-polars";
import type { Answer } from "../analysis/series/answer.ts";
import { ArgumentError } from "../api/errors.ts";
import { describeValue } from "../api/error_text.ts";
import type { Chart } from "../plots/drawing/chart.ts";
import { displayOf } from "../show/check_frame.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { partsOf } from "../show/parts.ts";
import { messages } from "./content/messages.ts";
import { findOrigin, formatSource, readSourceFacts } from "./content/sources.ts";
import type { ReportDocument, Section } from "./document/document.ts";
import { buildFrameTable, listValues } from "./document/tables.ts";
import { readInstant } from "./fleet_report.ts";
import { type ReportFile, type ReportPage, writePages } from "./report_pages.ts";
import { buildJsonHead, formatJson } from "./writers/json.ts";
import { listGiven } from "../show/text/lists.ts";

/** Options of {@linkcode answerReport}. */
export interface AnswerReportOptions {
  /** Charts on the page, below the sentences. @default none */
  readonly charts?: readonly Chart[];
  /** Title. @default the answer's */
  readonly title?: string;
  /** Name of the files, without their ending. @default {"index"} */
  readonly name?: string;
  /** Creation time of the report, ISO 8601. @default now */
  readonly generatedAt?: string;
}

const OPTIONS = declareOptions<AnswerReportOptions>()("charts title generatedAt", {
  name: "index",
});

/** A frame in JSON: its rows, with the units of their columns. */
function buildFrameJson(frame: DataFrame) {
  const declared = displayOf(frame)?.columns ?? [];
  const columns = frame.columns.map((name) => {
    const column = declared.find((one) => one.name === name);
    return { name, unit: column?.unit, values: listValues(frame, name, column?.dtype) };
  });
  return {
    units: Object.fromEntries(columns.flatMap(({ name, unit }) => unit ? [[name, unit]] : [])),
    rows: Array.from(
      { length: frame.height },
      (_, row) => Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
    ),
  };
}

/** The page of an answer. */
async function* buildPage(
  answer: Answer,
  chosen: AnswerReportOptions & { readonly name: string },
): AsyncGenerator<ReportPage> {
  const parts = partsOf(answer);
  if (!parts || !answer.frames) {
    throw new ArgumentError(
      `Cannot make a report: this is ${describeValue(answer)}, not the answer of an analysis. ` +
        "Give an answer, such as the answer of planBudget()",
    );
  }
  const { charts = [], title = parts.title, name } = chosen;
  const { frames, findings, summary, notes, ...figures } = answer;
  const generatedAt = readInstant(chosen.generatedAt ?? new Date().toISOString());
  const shownFrames = Object.values(frames);
  const origin = findOrigin({ world: "own", attribution: [], generatedAt }, shownFrames);
  const { headings } = messages;
  const facts = parts.facts.map(({ label, value, unit }) =>
    [label, value && unit ? `${value} ${unit}` : value ?? null] as const
  );
  const sections: Section[] = [
    {
      id: "short",
      title: headings.answer,
      blocks: listGiven({ kind: "list", items: summary }, {
        kind: "pictures",
        items: charts.map((chart) => ({ look: "small", chart })),
      }, facts.length > 0 && { kind: "facts", items: facts } as const),
    },
    ...parts.tables.map(({ title, frame }, i) => (
      { id: `frame-${i + 1}`, title, blocks: [buildFrameTable(title, frame)] }
    )),
  ];
  if (notes.length > 0) {
    sections.push({
      id: "notes",
      title: headings.notes,
      blocks: [{ kind: "list", items: notes }],
    });
  }
  const document: ReportDocument = {
    title,
    about: generatedAt.slice(0, 10),
    of: "answer",
    sections,
    sources: [formatSource(readSourceFacts(title, shownFrames[0])), ...origin.attribution],
    origin,
  };
  const formatAnswer = () =>
    formatJson({
      ...buildJsonHead(title, origin),
      ...figures,
      summary,
      notes,
      findings,
      frames: Object.fromEntries(
        Object.entries(frames).map(([name, frame]) => [name, buildFrameJson(frame)]),
      ),
    });
  yield { path: name, document, formatJson: formatAnswer };
}

/**
 * Writes the answer of any question as a self-contained page that prints on A4, as Markdown and as JSON: sentences, charts,
 * frames, notes and sources.
 *
 * @param answer Answer of a question, such as `planBudget()`
 * @param options `charts` of the answer, `title`, `name` of the files, `generatedAt`
 * @returns The files for `saveReport()`: `.html`, `.md` and `.json`; the last has all frames and findings as data
 * @throws {ArgumentError} If `answer` is not an answer, or `generatedAt` is not an instant
 *
 * @example A budget to send to a board
 * ```ts
 * import { monthlyIndices, planBudget, plotBudget } from "@vindkit/vindkit";
 * import { answerReport } from "@vindkit/vindkit/report";
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 *
 * const coming = planBudget(await monthlyIndices("T1"), { from: "2026-01" });
 * const [html, , json] = await Array.fromAsync(
 *   answerReport(coming, { charts: [plotBudget(coming)], name: "budget" }),
 * );
 * assertEquals(html.name, "budget.html");
 * assertStringIncludes(html.content, coming.summary[0]);
 * assertEquals(JSON.parse(json.content).frames.months.rows.length, 12);
 * ```
 */
export function answerReport(
  answer: Answer,
  options: AnswerReportOptions = {},
): AsyncGenerator<ReportFile> {
  return writePages(() => buildPage(answer, readOptions("answerReport()", options, OPTIONS)));
}
