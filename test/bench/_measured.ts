/** One line of the table. */
export interface BenchmarkRow {
  /** What was measured. */
  readonly what: string;
  /** What came out. */
  readonly found: string;
  /** Bound of the figure. */
  readonly bound: string;
  /** Whether it holds. */
  readonly holds: boolean;
}
