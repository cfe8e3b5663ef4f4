import { visibleText } from "../../api/error_text.ts";
import type { Proposal } from "./question.ts";

/** Puts a text in quotes for a shell, where it needs them. */
export function quote(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const formatReason = ({ reason }: Proposal) => reason === undefined ? "" : ` (${reason})`;

/** Answers that are shown; of more the first and the last. */
const MAX_SHOWN = 6;

const formatAnswers = (answers: readonly string[]) =>
  answers.length > MAX_SHOWN
    ? `${answers.slice(0, 2).join(", ")} … ${answers.at(-1)}, ${answers.length} in all`
    : answers.join(", ");

/** What Enter, or --yes, would take. */
export const formatProposed = (proposal: Proposal): string =>
  visibleText(
    (proposal.shown ?? formatAnswers(proposal.answers ?? [])) + formatReason(proposal),
  );

/** What was read of an answer by number, or of a coordinate. */
export const formatRead = (answers: readonly string[]): string =>
  `read as ${visibleText(formatAnswers(answers))}`;
