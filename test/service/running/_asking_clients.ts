import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { buildPath } from "../_answers.ts";

/** Clients that read small answers, and clients that order. */
const [READING, ORDERING] = [4, 2];

/** Server and requests of the clients. */
export interface Asked {
  readonly url: string;
  /** Certificate that they must trust, PEM. */
  readonly certificate: string;
  /** Issues a key of another licence: each client has one, with separate limits. */
  issueKey(): Promise<string>;
  /** Paths that some clients read in turn; later answers must equal the first ones. */
  readonly paths: readonly string[];
  /** A download that another client repeats. */
  readonly download: string;
  /** Parameters of an order; each takes another latitude. */
  readonly order: Readonly<Record<string, string | number>> & { readonly lat: number };
}

/** A client with its key and persistent connections. */
interface Client extends Disposable {
  readonly client: Deno.HttpClient;
  readonly headers: Readonly<Record<string, string>>;
}

/** Clients that send requests without pause. */
export class AskingClients implements AsyncDisposable {
  /** Failed requests, and wrong answers. */
  readonly failures: string[] = [];
  /** Identifiers of the orders. */
  readonly orders: string[] = [];
  /** Number of complete and correct answers. */
  answers = 0;
  readonly #asked: Asked;
  readonly #right = new Map<string, string>();
  readonly #work: Promise<void>[] = [];
  #over = false;

  /** @param asked Server and requests */
  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Starts the clients. */
  async begin(): Promise<void> {
    const { paths, download, order } = this.#asked;
    using first = await this.#createClient();
    for (const path of [...paths, download]) this.#right.set(path, await this.#read(first, path));
    for (let i = 0; i < READING; i++) {
      let next = i;
      await this.#start((client) => this.#reread(client, paths[next++ % paths.length]));
    }
    await this.#start((client) => this.#reread(client, download));
    for (let i = 0; i < ORDERING; i++) {
      let next = i;
      const pick = () => ({ ...order, lat: order.lat + (next += ORDERING) / 10_000 });
      await this.#start((client) => this.#order(client, pick()));
    }
  }

  /** Begins a download, and reads only its head; the returned function reads and compares the rest. */
  async hold(): Promise<() => Promise<void>> {
    const client = await this.#createClient();
    const path = this.#asked.download;
    const response = await this.#fetch(client, path);
    return async () => {
      using _ = client;
      await this.#note(this.#readWhole(response, this.#right.get(path)));
    };
  }

  /** Lets each client finish its request. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    await Promise.all(this.#work);
  }

  async #createClient(): Promise<Client> {
    const headers = { [KEY_HEADER]: await this.#asked.issueKey(), "accept-encoding": "identity" };
    const client = Deno.createHttpClient({ caCerts: [this.#asked.certificate] });
    return { headers, client, [Symbol.dispose]: () => client.close() };
  }

  async #start(act: (client: Client) => Promise<unknown>): Promise<void> {
    const client = await this.#createClient();
    const work = async () => {
      using _ = client;
      while (!this.#over) await this.#note(act(client));
    };
    this.#work.push(work());
  }

  /** Notes a failure. */
  async #note(asking: Promise<unknown>): Promise<void> {
    try {
      await asking;
    } catch (error) {
      this.failures.push(String(error));
    }
  }

  #fetch({ client, headers }: Client, path: string): Promise<Response> {
    return fetch(new URL(path, this.#asked.url), { client, headers });
  }

  /** @throws {Error} If an answer is cut or wrong */
  async #readWhole(response: Response, right?: string): Promise<string> {
    const text = await response.text();
    if (response.status !== 200 || text !== (right ?? text)) {
      const { length } = text;
      throw new Error(`${response.status}, ${length} characters: ${text.slice(0, 200)}`);
    }
    this.answers++;
    return text;
  }

  async #read(client: Client, path: string, right?: string): Promise<string> {
    return await this.#readWhole(await this.#fetch(client, path), right);
  }

  #reread(client: Client, path: string): Promise<string> {
    return this.#read(client, path, this.#right.get(path));
  }

  /** Orders, waits, and reads the file, which must equal a direct download. */
  async #order(client: Client, wanted: Asked["order"]): Promise<void> {
    const id = JSON.parse(await this.#read(client, buildPath("place_order", wanted)));
    this.orders.push(id);
    const status = buildPath("order_status", { order_id: id });
    let word: string;
    do word = JSON.parse(await this.#read(client, status)); while (!/^(https|unknown)/.test(word));
    const file = await this.#read(client, word);
    await this.#read(client, buildPath("download_climate", wanted), file);
  }
}
