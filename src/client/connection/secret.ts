import { CUSTOM_INSPECT } from "../../show/jupyter.ts";

/**
 * A text that shows as `***` where it is printed, logged, or put into JSON or a message.
 *
 * @example Only `reveal()` returns the text
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

/** Whether a key can be sent in a header; the runtime would refuse any other key with a message that shows it. */
export function isHeaderKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1000}$/.test(text);
}
