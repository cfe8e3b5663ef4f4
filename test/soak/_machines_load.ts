import { delay } from "@std/async";
import { issueKey } from "../../src/service/licences/licences.ts";
import { buildPath } from "../service/_answers.ts";
import { EDITIONS, importEdition, type KnownAnswers, PATHS } from "./_machines_editions.ts";
import { type MachinesWorld, PATIENCE } from "./_machines_world.ts";

/** Number of ordering and of reading clients. */
const [ORDERING, READING] = [3, 2];

/** Pause of a reader between two answers, ms: the machines share few cores. */
const READ_PAUSE = 100;

/** How long a revoked key may still be answered, ms. */
const REVOKED_WITHIN = 1000;

/** Calls of clients, and their answers. */
export class MachinesLoad {
  /** Number of compared answers. */
  reads = 0;
  /** Number of revoked keys. */
  revocations = 0;
  /** Number of answers that reject revoked keys. */
  refusals = 0;
  /** Number of stored imports. */
  imports = 0;
  /** Path of each delivered order's file, by the path of its status. */
  readonly orders = new Map<string, string>();
  readonly #world: MachinesWorld;
  readonly #known: KnownAnswers;
  readonly #fault: (text: string) => void;
  #key = "";
  #placed = 0;

  /**
   * @param world The machines
   * @param known The right answers
   * @param fault Called with what must not be
   */
  constructor(world: MachinesWorld, known: KnownAnswers, fault: (text: string) => void) {
    [this.#world, this.#known, this.#fault] = [world, known, fault];
  }

  /** Imports edition A, and creates the key of the client. */
  async prepare(): Promise<void> {
    await this.#import();
    this.#key = await this.#addLicence("client");
  }

  /**
   * Runs the clients (import, order, revoke, read) until a fault is over and each has its last answer.
   *
   * @param happening Resolves when the fault is over
   */
  async during(happening: Promise<void>): Promise<void> {
    let over = false;
    const again = async (body: () => Promise<void>) => {
      do await body(); while (!over);
    };
    const clients = [
      again(() => this.#import()),
      again(() => this.#revoke()),
      ...Array.from({ length: ORDERING }, () => again(() => this.#order())),
      ...Array.from({ length: READING }, () => again(() => this.#read())),
    ].map((client) => client.catch((error) => this.#fault(`a client failed: ${error}`)));
    try {
      await happening;
    } finally {
      over = true;
      await Promise.all(clients);
    }
  }

  /** Checks that every server answers with the latest edition. */
  async checkAnswers(): Promise<void> {
    const edition = EDITIONS[(this.imports - 1) % 2];
    for (let i = 0; i < this.#world.servers.length; i++) {
      for (const path of PATHS) {
        const ask = () => this.#world.askServer(i, path, this.#key);
        const { status, text } = await this.#world.retry(ask);
        this.reads++;
        if (!await this.#known.matches(edition, path, text)) {
          this.#fault(`server ${i} does not answer with ${edition}: ${path} ${status}`);
        }
      }
    }
  }

  /** Checks that each order's file has its old address, because it must be built only once. */
  async checkOrders(): Promise<void> {
    for (const [status, file] of this.orders) {
      const { text } = await this.#world.ask(status, this.#key);
      if (!text.endsWith(`${file}"`)) {
        this.#fault(`an order is lost, or was built twice: ${file}, now ${text}`);
      }
    }
  }

  async #import(): Promise<void> {
    const { store, files, jobs } = this.#world;
    const edition = EDITIONS[this.imports % 2];
    await this.#world.retry(() => importEdition(edition, { store, files }, { jobs }));
    this.imports++;
  }

  async #read(): Promise<void> {
    const path = PATHS[this.reads % PATHS.length];
    const { status, text } = await this.#world.ask(path, this.#key);
    this.reads++;
    for (const edition of EDITIONS) {
      if (await this.#known.matches(edition, path, text)) return await delay(READ_PAUSE);
    }
    this.#fault(`neither A nor B: ${path} ${status} ${text.slice(0, 200)}`);
  }

  async #order(): Promise<void> {
    const wanted = {
      service_id: "one",
      lat: 55 + ++this.#placed / 10_000,
      lon: 8,
      start_year: 2022,
      end_year: 2022,
      filetype: "csv",
    };
    const order_id = JSON.parse(
      (await this.#world.ask(buildPath("place_order", wanted), this.#key)).text,
    );
    const status = buildPath("order_status", { order_id });
    for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(200)) {
      const word = JSON.parse((await this.#world.ask(status, this.#key)).text);
      if (word === "unknown") return this.#fault(`order ${order_id} could not be built`);
      if (!word.startsWith("http")) continue;
      const { pathname } = new URL(word);
      const { text } = await this.#world.ask(pathname, "");
      const right = await this.#known.answer("A", buildPath("download_climate", wanted));
      if (text !== right) this.#fault(`order ${order_id} has wrong bytes: ${text.slice(0, 200)}`);
      this.orders.set(status, pathname);
      return;
    }
    this.#fault(`order ${order_id} has no file after ${PATIENCE / 1000} s`);
  }

  async #addLicence(serialNumber: string): Promise<string> {
    const { licences } = this.#world.store;
    const licence = {
      serialNumber,
      email: "a@example.com",
      expires: null,
      turbines: null,
      datasets: null,
    };
    return await this.#world.retry(async () => {
      await licences.put(licence);
      return await issueKey(licence, licences);
    });
  }

  /** Revokes a licence after every server has answered it. */
  async #revoke(): Promise<void> {
    const serialNumber = `revoked-${this.revocations}`;
    const key = await this.#addLicence(serialNumber);
    const path = buildPath("turbines");
    const servers = [...this.#world.servers.keys()];
    const ask = (i: number) => this.#world.askServer(i, path, key);
    for (const i of servers) {
      const { status } = await this.#world.ask(path, key);
      if (status !== 200) this.#fault(`a new key gets status ${status}`);
      await ask(i).catch(() => {}); // the server may be down
    }
    await this.#world.retry(() => this.#world.store.licences.remove(serialNumber));
    await delay(REVOKED_WITHIN);
    for (const i of servers) {
      const { status } = await ask(i).catch(() => ({ status: 0 }));
      if (status === 200) this.#fault(`server ${i} answers a revoked key`);
      // 429 too, because all servers together throttle the wrong keys of one client.
      if (status === 401 || status === 429) this.refusals++;
    }
    this.revocations++;
  }
}
