import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { describeResult } from "../../frames/origin/describe_result.ts";
import { buildRows, type Rows } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/origin/provenance.ts";
import type { CardRow } from "../../show/card.ts";

/** A figure of a finding: a number in the unit of its name, a text, or a list of either. */
export type FindingFigure =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FindingFigure[]
  | { readonly [name: string]: FindingFigure };

/** A finding of an analysis, as data and as a sentence. */
export interface Finding {
  /** Kind of the finding, such as `outages_cost`: it stays the same if the sentence changes. */
  readonly code: string;
  /** `result` of the question, or a `note` on omissions and assumptions, and the data that would change them. */
  readonly severity: "result" | "note";
  /** Its figures by name; a missing one is `null`. */
  readonly figures: Readonly<Record<string, FindingFigure>>;
  /** Units of these figures, nested ones included, by name. */
  readonly units: Readonly<Record<string, string>>;
  /** The sentence. */
  readonly text: string;
}

/** Sentences of an analysis by finding code: all words in one place, so another language is another table. */
type Words = Readonly<Record<string, (figures: never) => string>>;

/** Findings of an analysis, before they have words. */
export type FindingOf<Table extends Words> = {
  [Code in keyof Table]:
    & { readonly code: Code }
    & (Parameters<Table[Code]> extends [infer Figures] ? Figures : object);
}[keyof Table];

/** Lists the names of all figures, nested ones included. */
function listNames(value: FindingFigure): string[] {
  if (Array.isArray(value)) return value.flatMap(listNames);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, nested]) => [name, ...listNames(nested)]);
}

/** Replaces NaN, which JSON does not have. */
function nullForNaN(value: FindingFigure): FindingFigure {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(nullForNaN);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, nested]) => [name, nullForNaN(nested)]),
  );
}

/** Writes the sentence of a finding. */
export function say<Table extends Words>(words: Table, finding: FindingOf<Table>): string {
  return words[finding.code](finding as never);
}

/** Words of a note that a reader already put into a sentence. */
export const readingWords = {
  reading: ({ note }: { note: string }): string => note,
};

/** Turns notes of a reader into findings. */
export function listReadings(
  notes: readonly string[],
): { readonly code: "reading"; readonly note: string }[] {
  return notes.map((note) => ({ code: "reading", note }));
}

/**
 * Puts findings into words.
 *
 * @param words Sentence of each code
 * @param units Unit of each figure by its name
 */
export function putIntoWords<Table extends Words>(
  words: Table,
  units: Readonly<Record<string, string>>,
  severity: Finding["severity"],
  findings: readonly FindingOf<Table>[],
): Finding[] {
  return findings.map(({ code, ...figures }) => {
    const cleaned = nullForNaN(figures as FindingFigure) as Finding["figures"];
    const names = new Set(listNames(cleaned));
    return {
      code: String(code),
      severity,
      figures: cleaned,
      units: Object.fromEntries(Object.entries(units).filter(([name]) => names.has(name))),
      text: words[code](figures as never),
    };
  });
}

/** Findings of an analysis, as data and as sentences. */
export interface Findings {
  readonly findings: readonly Finding[];
  readonly summary: readonly string[];
  readonly notes: readonly string[];
}

/** Writes the results and notes of an analysis, as data and as the sentences of `summary` and `notes`. */
export function writeFindings<Table extends Words>(
  words: Table,
  units: Readonly<Record<string, string>>,
  results: readonly FindingOf<Table>[],
  notes: readonly FindingOf<Table>[] = [],
): Findings {
  const resulting = putIntoWords(words, units, "result", results);
  const noted = putIntoWords(words, units, "note", notes);
  return {
    findings: [...resulting, ...noted],
    summary: resulting.map(({ text }) => text),
    notes: noted.map(({ text }) => text),
  };
}

/**
 * The parts that every answer has, next to its own figures. It shows itself in notebooks and on the console; pass
 * it as it is to its chart, or to `answerReport()` for a page.
 */
export interface Answer {
  /** Its frames by name. */
  readonly frames: Readonly<Record<string, DataFrame>>;
  /** All results and notes, as data: `code`, `severity` (`result` or `note`), `figures` with their `units`, and `text`, the sentence that is in `summary` or `notes`. */
  readonly findings: readonly Finding[];
  /** Results in sentences. */
  readonly summary: readonly string[];
  /** Omissions, assumptions and missing results, and the data that would change them. */
  readonly notes: readonly string[];
  /** Source of its figures, as `provenance()` reports it for a frame. */
  readonly provenance: Origin;
}

/** A frame of an answer. */
export interface AnswerFrame {
  /** Heading. @default none: the answer does not show the frame */
  readonly title?: string;
  readonly columns: readonly Column[];
  /** Results; fields named like columns fill the cells. */
  readonly rows: readonly object[] | DataFrame;
  /** IANA zone of its datetimes. */
  readonly timeZone?: string;
}

/** An answer before it is built. */
interface AnswerParts<Name extends string> {
  readonly title: string;
  /** Figures above the frames. @default none */
  readonly facts?: readonly CardRow[];
  /** The first is always shown, the others if they have rows. */
  readonly frames: Readonly<Record<Name, AnswerFrame>>;
  readonly findings: Findings;
  readonly origin: Origin;
}

/** Builds an answer from its own figures and the parts that all answers have. */
export function buildAnswer<Own extends object, Name extends string>(
  figures: Own,
  { title, facts = [], frames: parts, findings, origin }: AnswerParts<Name>,
): Own & Answer & { readonly frames: Readonly<Record<Name, DataFrame>> } {
  const list = Object.entries<AnswerFrame>(parts).map(([name, part]) => {
    let built: DataFrame | undefined; // on first use: the check of a fleet has thousands that are never used
    const build = () => {
      const { columns, rows, timeZone } = part;
      const frame = Array.isArray(rows)
        ? buildRows(columns, rows as Rows, timeZone)
        : rows as DataFrame;
      return built ??= describeFrame(frame, columns, origin);
    };
    return { name, title: part.title, build };
  });
  const frames = {};
  for (const { name, build } of list) {
    Object.defineProperty(frames, name, { get: build, enumerable: true });
  }
  const answer = {
    ...figures,
    frames: frames as Readonly<Record<Name, DataFrame>>,
    ...findings,
    provenance: origin,
  };
  return describeResult(answer, () => ({
    title,
    facts,
    summary: findings.summary,
    tables: list.flatMap(({ title, build }, i) =>
      title !== undefined && (i === 0 || build().height > 0) ? [{ title, frame: build() }] : []
    ),
    notes: findings.notes,
    origin,
  }));
}
