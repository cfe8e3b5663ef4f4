/** A stored file that is missing, or does not have the content that its name or its row says. */
export class DamagedFileError extends Error {
  /** Path of the file. */
  readonly path: string;
  /** What is wrong with it, and what to do next. */
  readonly problem: string;
  /** A backup of it may be put back. */
  readonly passes = true;

  /** @param options The failure that showed it */
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`Cannot use ${path}: ${problem}`, options);
    this.name = "DamagedFileError";
    this.path = path;
    this.problem = problem;
  }
}
