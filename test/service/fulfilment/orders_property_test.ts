/**
 * Invariants of the states of orders, under random acts of clients and operators in random order. All acts follow from one
 * seed.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { answerOrderFile } from "../../../src/service/operations/order_file.ts";
import { ADDRESS_LIFETIME } from "../../../src/service/fulfilment/build_order.ts";
import { ORDER_FILES, type Orders } from "../../../src/service/fulfilment/orders.ts";
import { type OrderData, withOrderData } from "./_order_data.ts";
import { builtOrder, changeOrder } from "../../storage/store/_orders.ts";
import { inlineOrders } from "../_inline_orders.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

const SEQUENCES = 8;
const ACTS = 40;

/** Seed; set VINDKIT_SEED to try another one. */
const SEED = Number(Deno.env.get("VINDKIT_SEED") || 20_261_121);

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const licences: readonly Licence[] = ["A", "B"].map((serialNumber) => ({
  ...LOCAL_LICENCE,
  serialNumber,
}));
const years = [2022, 2023];
const WORDS = ["placed", "approved", "URL", "delivered"];

/** A test's record of an order: answers to a client, and acts of an operator. */
interface Known {
  readonly licence: Licence;
  readonly year: number;
  word: string;
  url: string | undefined;
  /** Its file was sent completely. */
  fetched: boolean;
  /** Its address was made to end. */
  ended: boolean;
}

/** Orders under random acts; each act compares its observations with earlier ones. */
class Sequence {
  readonly #data: OrderData;
  readonly #random: () => number;
  readonly #known = new Map<string, Known>();
  #orders: Orders;
  urls = 0;

  constructor(data: OrderData, random: () => number) {
    this.#data = data;
    this.#random = random;
    this.#orders = inlineOrders(data.store, data.files);
  }

  #oneOf<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)];
  }

  async act(): Promise<void> {
    const acts = [this.place, this.place, this.poll, this.poll, this.poll, this.poll];
    await this.#oneOf([...acts, this.download, this.download, this.expire, this.restart]).call(
      this,
    );
  }

  async place(): Promise<void> {
    const [licence, year] = [this.#oneOf(licences), this.#oneOf(years)];
    const values = { ...this.#data.values, start_year: year, end_year: year };
    const ids = await Promise.all([0, 1].map(() => this.#orders.place(licence, values)));
    assertEquals(ids[0], ids[1], "two at once are one");
    const [id] = ids;
    const open = [...this.#known].filter(([, known]) =>
      known.licence === licence && known.year === year && !known.fetched && !known.ended
    );
    if (open.length > 0) assertEquals(id, open[0][0], "an open one is joined");
    else assert(!this.#known.has(id), "one that is over is not joined");
    if (!this.#known.has(id)) {
      const known = { licence, year, word: "placed", url: undefined, fetched: false, ended: false };
      this.#known.set(id, known);
    }
  }

  async poll(): Promise<void> {
    if (this.#known.size === 0) return;
    const [id, known] = this.#oneOf([...this.#known]);
    const status = (await this.#orders.status(known.licence, id, "http://h"))!;
    const word = status.startsWith("http") ? "URL" : status;
    assert(WORDS.includes(word), status);
    assert(WORDS.indexOf(word) >= WORDS.indexOf(known.word), `${word} after ${known.word}`);
    if (word === "URL") {
      assertEquals(status, known.url ?? status, "the reported address stays");
      if (!known.url) this.urls++;
      known.url = status;
    }
    assertEquals(word === "delivered", known.ended, `${word}, address ended: ${known.ended}`);
    known.word = word;
    const other = licences.find((licence) => licence !== known.licence)!;
    assertEquals(await this.#orders.status(other, id, "http://h"), undefined);
  }

  async download(): Promise<void> {
    const withAddress = [...this.#known.values()].filter(({ url }) => url !== undefined);
    if (withAddress.length === 0) return;
    const known = this.#oneOf(withAddress);
    const token = known.url!.slice(`http://h${ORDER_FILES}/`.length).split("/")[0];
    const { store, files } = this.#data;
    const parts = { store, files, orders: this.#orders };
    const answer = await answerOrderFile(parts, token, new Headers());
    assertEquals(answer.status, known.ended ? 404 : 200);
    if (this.#random() < 0.3) return await answer.body?.cancel();
    const bytes = await answer.bytes();
    if (known.ended) return;
    assertEquals(bytes.length, Number(answer.headers.get("content-length")));
    known.fetched = true;
  }

  async expire(): Promise<void> {
    const withAddress = [...this.#known].filter(([, { url, ended }]) =>
      url !== undefined && !ended
    );
    if (withAddress.length === 0) return;
    const [id, known] = this.#oneOf(withAddress);
    const { expires } = await builtOrder(this.#data.store, id);
    assert(expires <= Date.now() + ADDRESS_LIFETIME);
    await changeOrder(this.#data.store, id, { expires: Date.now() - 1 });
    known.ended = true;
  }

  async restart(): Promise<void> {
    await this.#orders.close();
    this.#orders = inlineOrders(this.#data.store, this.#data.files);
    await this.#orders.resume();
  }

  /** Polls all orders until each has, or had, its address. */
  async end(): Promise<void> {
    for (const [id, known] of this.#known) {
      for (let polls = 0; !known.url; polls++) {
        assert(polls < 10_000, `order ${id} is still ${known.word}`);
        await this.poll();
        await new Promise((done) => setTimeout(done)); // the work's turn
      }
    }
    for (const [id, { fetched }] of this.#known) {
      const { state, file } = await builtOrder(this.#data.store, id);
      assertEquals(state, fetched ? "delivered" : "complete");
      assert((await this.#data.files.names()).includes(file));
    }
    assertEquals(await this.#data.store.orders.unfinished(), []);
    await this.#orders.close();
  }
}

describe("orders under random acts", () => {
  it("never go back, stay one order while open, and all get their address", async () => {
    const random = randomFrom(SEED);
    let urls = 0;
    for (let i = 0; i < SEQUENCES; i++) {
      await withOrderData(async (data) => {
        for (const licence of licences) await data.store.licences.put(licence);
        const sequence = new Sequence(data, random);
        for (let act = 0; act < ACTS; act++) await sequence.act();
        await sequence.end();
        urls += sequence.urls;
      });
    }
    assert(urls > SEQUENCES, `${urls} addresses were seen`);
  });
});
