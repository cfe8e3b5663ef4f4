import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { buildPath } from "../_answers.ts";

/** Clients that read small answers, and clients that order. */
const [READING, ORDERING] = [4, 2];

/** Where the clients ask, and for what. */
export interface Asked {
  readonly url: string;
  /** What they must trust, PEM. */
  readonly certificate: string;
  /** Issues a key of another licence: each client has one, with limits of its own. */
  issueKey(): Promise<string>;
  /** What some of them read by turns: as it is answered at the beginning, it must be answered later. */
  readonly paths: readonly string[];
  /** A download that another one reads again and again. */
  readonly download: string;
  /** Parameters of an order; each takes another latitude. */
  readonly order: Readonly<Record<string, string | number>> & { readonly lat: number };
}

/** A client with its key, and connections that are kept. */
interface Client extends Disposable {
  readonly client: Deno.HttpClient;
  readonly headers: Readonly<Record<string, string>>;
}

/** Clients that ask without pause. */
export class AskingClients implements AsyncDisposable {
  /** Requests that failed, and answers that were not right. */
  readonly failures: string[] = [];
  /** Identifiers of the orders. */
  readonly orders: string[] = [];
  /** Answers that were right. */
  answers = 0;
  readonly #asked: Asked;
  readonly #right = new Map<string, string>();
  readonly #work: Promise<void>[] = [];
  #over = false;

  /** @param asked Where they ask */
  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Lets them begin. */
  async begin(): Promise<void> {
    const { paths, download, order } = this.#asked;
    using first = await this.#createClient();
    for (const path of [...paths, download]) this.#right.set(path, await this.#read(first, path));
    for (let i = 0; i < READING; i++) {
      let next = i;
      await this.#start((client) => this.#compare(client, paths[next++ % paths.length]));
    }
    await this.#start((client) => this.#compare(client, download));
    for (let i = 0; i < ORDERING; i++) {
      let next = i;
      const pick = () => ({ ...order, lat: order.lat + (next += ORDERING) / 10_000 });
      await this.#start((client) => this.#order(client, pick()));
    }
  }

  /** Begins the download, and reads only its beginning; what it gives reads and compares the rest. */
  async hold(): Promise<() => Promise<void>> {
    const client = await this.#createClient();
    const path = this.#asked.download;
    const { status, body } = await this.#fetch(client, path);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    return async () => {
      using _ = client;
      await this.#note(path, async () => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          text += part.value;
        }
        this.#check(path, status === 200 && text === this.#right.get(path), status, text);
      });
    };
  }

  /** Lets each client end what it does. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    await Promise.all(this.#work);
  }

  async #createClient(): Promise<Client> {
    const headers = { [KEY_HEADER]: await this.#asked.issueKey(), "accept-encoding": "identity" };
    const client = Deno.createHttpClient({ caCerts: [this.#asked.certificate] });
    return { headers, client, [Symbol.dispose]: () => client.close() };
  }

  async #start(act: (client: Client) => Promise<void>): Promise<void> {
    const client = await this.#createClient();
    const work = async () => {
      using _ = client;
      while (!this.#over) await act(client);
    };
    this.#work.push(work());
  }

  /** Notes an answer that is not right. */
  #check(path: string, right: boolean, status: number, text: string): void {
    if (right) this.answers++;
    else this.failures.push(`${path}: ${status}, ${text.length} characters ${text.slice(0, 200)}`);
  }

  /** Notes a request that fails. */
  async #note(path: string, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      this.failures.push(`${path}: ${error}`);
    }
  }

  #fetch({ client, headers }: Client, path: string): Promise<Response> {
    return fetch(new URL(path, this.#asked.url), { client, headers });
  }

  /** Reads an answer that must be there. */
  async #read(client: Client, path: string): Promise<string> {
    const response = await this.#fetch(client, path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    this.answers++;
    return text;
  }

  async #compare(client: Client, path: string): Promise<void> {
    await this.#note(path, async () => {
      const response = await this.#fetch(client, path);
      const text = await response.text();
      this.#check(path, text === this.#right.get(path), response.status, text);
    });
  }

  /** Orders, waits, and reads the file, which must be what a download at once gives. */
  async #order(
    client: Client,
    wanted: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    const path = buildPath("place_order", wanted);
    await this.#note(path, async () => {
      const order_id = JSON.parse(await this.#read(client, path));
      this.orders.push(order_id);
      let word: string;
      do {
        word = JSON.parse(await this.#read(client, buildPath("order_status", { order_id })));
      } while (!/^(https|unknown)/.test(word));
      const file = await this.#read(client, word);
      const right = await this.#read(client, buildPath("download_climate", wanted));
      this.#check(word, file === right, 200, file);
    });
  }
}
