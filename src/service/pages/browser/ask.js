/**
 * Asks the service that this page came from. The key is kept here, in memory, and goes nowhere else.
 *
 * @module
 */

/** @typedef {import("../start_contract.ts").StartContract} StartContract */
/** @typedef {keyof StartContract["operations"]} OperationName */

/** Requests under way at the same time: browsers hold back more than six of one origin anyway. */
const PARALLEL = 6;

/** The service refused, or could not be reached. */
export class Refused extends Error {
  /**
   * @param {string} meaning What it means, as the contract has it; `unreachable`, `unreadable` or `failed` otherwise
   * @param {{ detail?: string, status?: number, retryAfter?: string | null }} [facts]
   */
  constructor(meaning, { detail = "", status, retryAfter = null } = {}) {
    super(detail || meaning);
    this.name = "Refused";
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

/** The service, asked with one key. */
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
   * @param {string} key
   */
  constructor(contract, key) {
    this.#contract = contract;
    this.#key = key;
  }

  /** Ends what is under way, and forgets the key. */
  close() {
    this.#end.abort();
    this.#key = "";
  }

  /** Whether it was closed. */
  get closed() {
    return this.#end.signal.aborted;
  }

  /**
   * Asks an operation.
   *
   * @param {OperationName} name
   * @param {string} [turbine] Identifier of the turbine
   * @returns {Promise<string>} The body
   * @throws {Refused} If there is no successful answer
   */
  async text(name, turbine = "") {
    return await this.#gate.run(() => this.#ask(name, turbine));
  }

  /**
   * Asks an operation that answers with JSON.
   *
   * @param {OperationName} name
   * @param {string} [turbine] Identifier of the turbine
   * @returns {Promise<any>}
   * @throws {Refused} If there is no successful answer, or one that is not JSON
   */
  async json(name, turbine) {
    const text = await this.text(name, turbine);
    try {
      return JSON.parse(text);
    } catch {
      throw new Refused("unreadable");
    }
  }

  /**
   * @param {OperationName} name
   * @param {string} turbine
   */
  async #ask(name, turbine) {
    const { path, meanings } = this.#contract.operations[name];
    const placeholder = `{${this.#contract.turbineParameter}}`;
    try {
      const answer = await fetch(path.replace(placeholder, () => encodeURIComponent(turbine)), {
        headers: { [this.#contract.keyHeader]: this.#key },
        signal: this.#end.signal,
        redirect: "error", // the key goes to this origin only
        cache: "no-store",
      });
      const body = await answer.text();
      if (answer.ok) {
        this.#note(answer.headers);
        return body;
      }
      throw new Refused(meanings[answer.status] ?? "failed", {
        detail: detailOf(body),
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
      });
    } catch (error) {
      if (error instanceof Refused) throw error;
      throw new Refused("unreachable");
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
function detailOf(body) {
  try {
    return String(JSON.parse(body).detail ?? "");
  } catch {
    return "";
  }
}
