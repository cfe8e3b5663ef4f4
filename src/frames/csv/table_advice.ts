/** What a caller can declare of a table, in sentences that end messages: a reader knows no options of its callers. */
export interface TableAdvice {
  /** Advice if the text is not UTF-8. */
  readonly encoding?: string;
  /** Advice if a row has no time, or an empty line is above such a row. */
  readonly trailing?: string;
  /** Advice if the first time has another form. */
  readonly times?: string;
  /** Advice if a column is missing. */
  readonly columns?: string;
  /** Advice if a field is not a number. */
  readonly numbers?: string;
  /** Advice if stamps have no offset and cannot be placed. */
  readonly zone?: string;
  /** Advice if a stamp may be either of two hours. */
  readonly unclear?: string;
}

/** Appends advice to a sentence, if there is any. */
export function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence}. ${advice}`;
}

/**
 * Advises on a row that has no time.
 *
 * @param time Text in the column of the time
 * @returns Empty where it has a digit, or nothing can be declared; else begins with a period
 */
export function adviseTrailing(time: string | null | undefined, advice?: TableAdvice): string {
  return /\d/.test(time ?? "") ? "" : withAdvice("", advice?.trailing);
}
