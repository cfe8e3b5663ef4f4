/** One line of the table. */
export interface BenchmarkRow {
  /** What was measured. */
  readonly what: string;
  /** What came out. */
  readonly found: string;
  /** What it is held against. */
  readonly bound: string;
  /** Whether it holds. */
  readonly holds: boolean;
}
