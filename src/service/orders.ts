import type { FileType } from "../api/climate_data.ts";
import type { ParameterValue } from "../api/parameter.ts";
import { type ClimateRequest, deliverClimate, pointFor } from "./climate_delivery.ts";
import type { Files } from "./store/files.ts";
import type { Licence } from "./store/licence.ts";
import type { Order, OrderState } from "./store/order.ts";
import type { Store } from "./store/store.ts";

/** Path of finished orders, below the origin: an unguessable token, then the file's name (*ours*). */
export const ORDER_FILES = "/onlinedata-services/climatefile";

/** States of an order that is still to be worked off. */
const UNFINISHED: readonly OrderState[] = ["placed", "approved"];

/** How long a download address holds, ms: a week. */
export const ADDRESS_LIFETIME = 7 * 24 * 3_600_000;

function randomName(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** The request for a file that parameters stand for. */
export function climateRequest(
  parameters: Readonly<Record<string, ParameterValue | undefined>>,
): ClimateRequest {
  return {
    serviceId: parameters.service_id as string,
    latitude: parameters.lat as number,
    longitude: parameters.lon as number,
    startYear: parameters.start_year as number,
    endYear: parameters.end_year as number,
    fileType: parameters.filetype as FileType,
  };
}

/** Climate orders: placed in a queue, worked off one after the other in this process. */
export class Orders {
  readonly #store: Store;
  readonly #files: Files;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  /**
   * @param store Where orders are remembered
   * @param files Where finished files are kept
   */
  constructor(store: Store, files: Files) {
    this.#store = store;
    this.#files = files;
  }

  /** Takes up the orders that an earlier run left unfinished. */
  async resume(): Promise<void> {
    for (const order of await this.#store.unfinishedOrders()) this.#queue(order);
  }

  /**
   * Places an order; while the licence has an open one for the same parameters, that one is meant.
   *
   * @returns Its identifier
   * @throws {Refusal} If there is no data for it
   */
  async place(
    licence: Licence,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ): Promise<string> {
    await pointFor(this.#store, climateRequest(parameters));
    const order: Order = {
      id: randomName(),
      serialNumber: licence.serialNumber,
      serviceId: parameters.service_id as string,
      parameters: parameters as Order["parameters"],
      state: "placed",
      token: null,
      file: null,
      expires: null,
    };
    const placed = await this.#store.placeOrder(order, Date.now());
    this.#queue(placed);
    return placed.id;
  }

  /**
   * Status of an order of a licence as the wire has it: a word or the download address.
   *
   * @returns `undefined` where the licence has no such order
   */
  async status(licence: Licence, id: string, origin: string): Promise<string | undefined> {
    const order = await this.#store.order(id);
    if (!order || order.serialNumber !== licence.serialNumber) return undefined;
    if (order.state === "failed") return "unknown";
    if (UNFINISHED.includes(order.state)) return order.state;
    if (order.expires! < Date.now()) return "delivered";
    return `${origin}${ORDER_FILES}/${order.token}/${order.file}`;
  }

  /** The finished order of a download address, while that holds. */
  async ofToken(token: string): Promise<(Order & { readonly file: string }) | undefined> {
    const order = await this.#store.orderOfToken(token);
    return order?.file && order.expires! >= Date.now() ? { ...order, file: order.file } : undefined;
  }

  /** Notes that the file of an order has been sent to its end: the next order for the same is another one. */
  async delivered(id: string): Promise<void> {
    await this.#store.updateOrder(id, { state: "delivered" }, ["complete"]);
  }

  /** Waits for the order under way; nothing new is begun. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  /** Queues an order that is not done, also a joined one: the process that placed it may be gone. */
  #queue(order: Order): void {
    if (!UNFINISHED.includes(order.state)) return;
    this.#work = this.#work
      .then(() => this.#closed ? undefined : this.#build(order))
      .catch((error) => console.error(`order ${order.id} could not be marked:`, error)); // the next one goes on
  }

  async #build({ id, parameters }: Order): Promise<void> {
    try {
      // It may be done by now, and another process may work on it too: it is finished once.
      if (!await this.#store.updateOrder(id, { state: "approved" }, UNFINISHED)) return;
      const { name, bytes } = await deliverClimate(
        this.#store,
        this.#files,
        climateRequest(parameters),
      );
      const file = await this.#files.put(bytes, name.slice(name.lastIndexOf(".") + 1));
      const finished = {
        state: "complete",
        token: randomName(),
        file,
        expires: Date.now() + ADDRESS_LIFETIME,
      } as const;
      await this.#store.updateOrder(id, finished, UNFINISHED);
    } catch (error) {
      console.error(`order ${id} failed:`, error);
      await this.#store.updateOrder(id, { state: "failed" }, UNFINISHED);
    }
  }
}
