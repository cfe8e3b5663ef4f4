import type { Meaning } from "../../api/errors.ts";

/** A response other than success; its status follows from the contract. */
export class Refusal extends Error {
  readonly meaning: Meaning;
  readonly retryAfter: number | undefined;
  readonly status: number | undefined;

  /**
   * @param message The request, the problem and the remedy; never a secret
   * @param options `retryAfter`: seconds after which to try again; `status`: needed if an operation has several with
   * this meaning
   */
  constructor(
    meaning: Meaning,
    message: string,
    options: { retryAfter?: number; status?: number } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.meaning = meaning;
    this.retryAfter = options.retryAfter;
    this.status = options.status;
  }
}
