/** How long an attempt counts, ms. */
export const ATTEMPT_PERIOD = 60_000;

/** What became of an attempt. */
export interface CountedAttempt {
  /** Time until the next one may be made, ms; 0 where this one is counted. */
  readonly pause: number;
  /** Takes it back, where it did not fail. */
  takeBack(): Promise<void>;
}

/** Counts attempts by name over the last {@linkcode ATTEMPT_PERIOD}, at every moment. */
export interface Attempts {
  /**
   * Counts an attempt, in one step, unless its name has too many; so a pause always ends.
   *
   * @param name Whose attempt it is
   * @param limit How many a name may have, at least 1
   */
  count(name: string, limit: number): Promise<CountedAttempt>;
}
