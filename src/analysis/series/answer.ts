import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { describeResult } from "../../frames/describe_result.ts";
import { buildRows, type Rows } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import type { CardRow } from "../../show/card.ts";
import type { Finding, Findings } from "./findings.ts";

/**
 * What the answer to every question has, besides its own figures. It shows itself in notebooks and on the console; pass
 * it as it is to its chart, or to `answerReport()` for a page.
 */
export interface Answer {
  /** Its frames by name. */
  readonly frames: Readonly<Record<string, DataFrame>>;
  /** All that was found and left out, as data: `code`, `severity` (`result` or `note`), `figures` with their `units`, and `text`, the sentence that is in `summary` or `notes`. */
  readonly findings: readonly Finding[];
  /** Results in sentences. */
  readonly summary: readonly string[];
  /** What was left out, assumed or could not be computed, and the data that would change that. */
  readonly notes: readonly string[];
  /** Where its figures come from, as `provenance()` gives it for a frame. */
  readonly provenance: Origin;
}

/** A frame of an answer. */
export interface AnswerFrame {
  /** Line above it. @default none: the answer does not show it */
  readonly title?: string;
  readonly columns: readonly Column[];
  readonly rows: Rows | DataFrame;
  /** IANA zone of its datetimes. */
  readonly timeZone?: string;
}

/** An answer, before it is built. */
interface AnswerParts<Name extends string> {
  readonly title: string;
  /** Figures above the frames. @default none */
  readonly facts?: readonly CardRow[];
  /** Those after the first are shown where they have rows. */
  readonly frames: Readonly<Record<Name, AnswerFrame>>;
  readonly found: Findings;
  readonly origin: Origin;
}

/** Builds an answer from the figures of its own and the parts that all answers have. */
export function buildAnswer<Own extends object, Name extends string>(
  own: Own,
  { title, facts = [], frames: parts, found, origin }: AnswerParts<Name>,
): Own & Answer & { readonly frames: Readonly<Record<Name, DataFrame>> } {
  const list = Object.entries<AnswerFrame>(parts).map(([name, part]) => {
    let built: DataFrame | undefined; // when somebody asks: the check of a fleet has thousands that nobody does
    const build = () => {
      const { columns, rows, timeZone } = part;
      const frame = Array.isArray(rows) ? buildRows(columns, rows, timeZone) : rows as DataFrame;
      return built ??= describeFrame(frame, columns, origin);
    };
    return { name, title: part.title, build };
  });
  const frames = {};
  for (const { name, build } of list) {
    Object.defineProperty(frames, name, { get: build, enumerable: true });
  }
  const answer = {
    ...own,
    frames: frames as Readonly<Record<Name, DataFrame>>,
    ...found,
    provenance: origin,
  };
  return describeResult(answer, () => ({
    title,
    facts,
    summary: found.summary,
    tables: list.flatMap(({ title, build }, i) =>
      title !== undefined && (i === 0 || build().height > 0) ? [{ title, frame: build() }] : []
    ),
    notes: found.notes,
    origin,
  }));
}
