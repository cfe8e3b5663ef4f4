/** An entry of a status log. */
export interface Event {
  /** The turbine. */
  readonly turbine: string;
  /** Start, ms since 1970 UTC. */
  readonly from: number;
  /** End, ms since 1970 UTC; `null` where the file has none. It may be before the start: files have such rows. */
  readonly to: number | null;
  readonly category: string | null;
  readonly status: string | null;
  readonly code: string | null;
  readonly text: string | null;
  /** Whether it is a message without a duration rather than a state whose end is not known. */
  readonly instant: boolean;
  /** Whether start or end may be either of the two hours that the clock repeats; the earlier one is taken. */
  readonly unclear: boolean;
}
