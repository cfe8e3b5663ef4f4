/** A file of a report. */
export interface ReportFile {
  /** Path below the folder of the report, with `/` between its parts: "index.html", "turbines/T1.md". */
  readonly name: string;
  /** The file. */
  readonly content: string;
}
