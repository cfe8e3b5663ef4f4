/**
 * Calls the service that this page came from. A key that was typed in is stored here, in memory, and sent nowhere else.
 *
 * @module
 */

/** @typedef {import("../start_contract.ts").StartContract} StartContract */
/** @typedef {keyof StartContract["operations"]} OperationName */

/** Requests under way at the same time: browsers allow six to one origin. */
const PARALLEL = 6;

/** The error of a request that the service refused or could not answer. */
export class RefusalError extends Error {
  /**
   * @param {string} meaning Meaning as in the contract; `unreachable`, `unreadable` or `failed` otherwise
   * @param {{ detail?: string, status?: number, retryAfter?: string | null }} [facts]
   */
  constructor(meaning, { detail = "", status, retryAfter = null } = {}) {
    super(detail || meaning);
    this.name = "RefusalError";
    this.meaning = meaning;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Lets a number of tasks run at the same time, the others wait in their order. */
class Gate {
  #free = PARALLEL;
  /** @type {(() => void)[]} */
  #waiting = [];

  /**
   * @template T
   * @param {() => Promise<T>} task
   * @returns {Promise<T>}
   */
  async run(task) {
    if (this.#free === 0) await new Promise((resolve) => this.#waiting.push(() => resolve(null)));
    else this.#free--;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** The service, called with one key. */
export class Service {
  #contract;
  #key;
  #gate = new Gate();
  #end = new AbortController();
  /** Attributions that the data require. @type {Set<string>} */
  attributions = new Set();
  /** Whether any figure is of the sample. */
  synthetic = false;

  /**
   * @param {StartContract} contract
   * @param {string} key Empty where the browser is signed in
   */
  constructor(contract, key) {
    this.#contract = contract;
    this.#key = key;
  }

  /** Ends the requests under way, and removes the key. */
  close() {
    this.#end.abort();
    this.#key = "";
  }

  /** Whether it was closed. */
  get closed() {
    return this.#end.signal.aborted;
  }

  /**
   * Calls an operation.
   *
   * @param {OperationName} name
   * @param {string} [turbine] Identifier of the turbine
   * @returns {Promise<string>} The body
   * @throws {RefusalError} If there is no successful answer
   */
  async text(name, turbine = "") {
    return await this.#gate.run(() => this.#fetch(name, turbine));
  }

  /**
   * Calls an operation that answers with JSON.
   *
   * @param {OperationName} name
   * @param {string} [turbine] Identifier of the turbine
   * @returns {Promise<any>}
   * @throws {RefusalError} If there is no successful answer, or one that is not JSON
   */
  async json(name, turbine) {
    const text = await this.text(name, turbine);
    try {
      return JSON.parse(text);
    } catch {
      throw new RefusalError("unreadable");
    }
  }

  /**
   * @param {OperationName} name
   * @param {string} turbine
   */
  async #fetch(name, turbine) {
    const { path, meanings } = this.#contract.operations[name];
    const placeholder = `{${this.#contract.turbineParameter}}`;
    try {
      const answer = await fetch(path.replace(placeholder, () => encodeURIComponent(turbine)), {
        headers: this.#key ? { [this.#contract.keyHeader]: this.#key } : {},
        signal: this.#end.signal,
        redirect: "error", // the key goes to this origin only
        cache: "no-store",
      });
      const body = await answer.text();
      if (answer.ok) {
        this.#note(answer.headers);
        return body;
      }
      throw new RefusalError(meanings[answer.status] ?? "failed", {
        detail: readDetail(body),
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
      });
    } catch (error) {
      if (error instanceof RefusalError) throw error;
      throw new RefusalError("unreachable");
    }
  }

  /** @param {Headers} headers */
  #note(headers) {
    const { worldHeader, sample, attributionHeader } = this.#contract;
    if (headers.get(worldHeader) === sample) this.synthetic = true;
    for (const line of (headers.get(attributionHeader) ?? "").split(",")) {
      if (line) this.attributions.add(decodeURIComponent(line));
    }
  }
}

/** @param {string} body An error body, RFC 9457 */
function readDetail(body) {
  try {
    return String(JSON.parse(body).detail ?? "");
  } catch {
    return "";
  }
}
