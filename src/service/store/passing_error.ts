/** A failure that may pass by itself or by the operator's doing, such as an object store that does not answer. */
export class PassingError extends Error {
  readonly passes = true;

  /** @param message What was tried, what was found and what to do next */
  constructor(message: string) {
    super(message);
    this.name = "PassingError";
  }
}
