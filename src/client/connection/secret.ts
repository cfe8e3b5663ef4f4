import { CUSTOM_INSPECT } from "../../show/jupyter.ts";

/**
 * A text that does not show itself: printed, logged, put into JSON or into a message it is `***`.
 *
 * @example Only `reveal()` gives it away
 * ```ts
 * import { Secret } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const key = new Secret("k-123");
 * assertEquals(`${key} ${JSON.stringify({ key })}`, '*** {"key":"***"}');
 * assertEquals(key.reveal(), "k-123");
 * ```
 */
export class Secret {
  readonly #value: string;

  /**
   * Wraps a text.
   *
   * @param value The text
   */
  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. */
  reveal(): string {
    return this.#value;
  }

  /** `***` */
  toString(): string {
    return "***";
  }

  /** `***` */
  toJSON(): string {
    return "***";
  }

  /** `***` */
  [CUSTOM_INSPECT](): string {
    return "***";
  }
}
