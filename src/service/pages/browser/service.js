/**
 * Fetches parts of the page from its own service. A typed-in key is stored here, in memory, and sent nowhere else.
 *
 * @module
 */

/** A problem and its remedy. */
const PROBLEMS = {
  key:
    "The service does not know this key, or its licence has ended. Check the key for a typing error, or ask the operator of this service for a new one.",
  unreachable:
    "The service did not answer. Check that it is running and that you are connected, then try again.",
  foreign:
    "The answer is not from this service. Check whether a sign-in page or a proxy is in between.",
};

/** The service, called with one key. */
export class Service {
  #headers;
  #worldHeader;
  #end = new AbortController();

  /**
   * @param {DOMStringMap} place Names of the headers
   * @param {string} key Empty if the browser is signed in
   */
  constructor({ keyHeader = "", worldHeader = "" }, key) {
    this.#headers = key ? { [keyHeader]: key } : {};
    this.#worldHeader = worldHeader;
  }

  /** Ends the requests under way, and removes the key. */
  close() {
    this.#end.abort();
    this.#headers = {};
  }

  /** Whether it was closed. */
  get closed() {
    return this.#end.signal.aborted;
  }

  /**
   * Fetches a part of the page for an element of some width.
   *
   * @param {string} address
   * @param {number} width px
   * @returns {Promise<string>} Its markup
   * @throws {Error} If there is none; its message has a remedy
   */
  async part(address, width) {
    const url = new URL(address, location.href);
    url.searchParams.set("width", String(Math.max(200, Math.min(2000, Math.round(width)))));
    const { answer, body } = await this.#fetch(url);
    const ours = answer.headers.has(this.#worldHeader);
    if (answer.ok && ours) return body;
    if (answer.status === 401) throw new Error(PROBLEMS.key);
    if (answer.status === 429) {
      const seconds = answer.headers.get("retry-after") ?? "60";
      throw new Error(
        `Too many attempts failed. Wait ${seconds} seconds, then try again.`,
      );
    }
    throw new Error(readDetail(body) ?? PROBLEMS.foreign);
  }

  /** @param {URL} url */
  async #fetch(url) {
    try {
      const answer = await fetch(url, {
        headers: this.#headers,
        signal: this.#end.signal,
        redirect: "error", // the key goes to this origin only
        cache: "no-store",
      });
      return { answer, body: await answer.text() };
    } catch {
      throw new Error(PROBLEMS.unreachable);
    }
  }
}

/** @param {string} body An error body, RFC 9457 */
function readDetail(body) {
  try {
    const { status, detail } = JSON.parse(body);
    return status >= 500 ? `${detail}. Try again in a minute.` : `${detail}.`;
  } catch {
    return undefined;
  }
}
