import { sha256 } from "../../disk/hashes.ts";
import { createName } from "./licences.ts";

/** How long a token can be used, ms. */
export const TOKEN_LIFETIME = 600_000;

/** Tokens that sign a browser in, once each. They are in memory only, as hashes, and end with the process. */
export class SignInTokens {
  readonly #now: () => number;
  /** Instants at which tokens end, by hash. */
  readonly #ends = new Map<string, number>();

  /** @param now A clock that never goes back, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(): string {
    const token = createName(16);
    this.#ends.set(sha256(token), this.#now() + TOKEN_LIFETIME);
    return token;
  }

  /**
   * Uses a token up.
   *
   * @param token Whatever was sent as one
   * @returns Whether it was issued, not used before, and in time
   */
  redeem(token: string): boolean {
    const hash = sha256(token);
    const end = this.#ends.get(hash);
    this.#ends.delete(hash);
    return end !== undefined && this.#now() < end;
  }
}
