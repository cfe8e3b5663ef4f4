/** One line of the table. */
export interface BenchmarkRow {
  /** The measured quantity. */
  readonly what: string;
  /** The result. */
  readonly measured: string;
  /** Its bound. */
  readonly bound: string;
  /** Whether the result is within the bound. */
  readonly holds: boolean;
}
