import type { DataFrame } from "nodejs-polars";
import { DataFormatError, OrderFailedError } from "../../api/errors.ts";
import { checkCall, type SentParameters } from "../../api/operations/request_path.ts";
import { hashFile } from "../../disk/hashes.ts";
import { readBeginning } from "../../frames/files/read_file.ts";
import { assertWholeFile, isZip } from "../../frames/files/archive.ts";
import { buildCardBundle, type Card, type CardRow, formatCard } from "../../show/card.ts";
import { type Bundle, CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../show/jupyter.ts";
import { readOptions } from "../../show/options/read_options.ts";
import {
  buildClimateFrame,
  climateReader,
  obtainClimateFrame,
  RAW,
  saveClimateFile,
  saveCopy,
} from "../answers/climate_files.ts";
import type { TableForm } from "../answers/read_answer.ts";
import { useAndStore } from "../cache/obtain.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { buildExcerpt, redactFileUrl } from "../http/redaction.ts";
import { type AnswerFacts, findFetchTime } from "../http/fetch_answer.ts";
import { fetchFile, PartFile } from "./fetch_file.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { buildOrderRow, formatNextStep, formatState, formatWayOn, orderColumns } from "./orders.ts";
import {
  fetchStatus,
  type OrderStatus,
  waitForOrder,
  type WaitOptions,
  waitOptions,
} from "./order_status.ts";
import { runStoppable } from "./run_stoppable.ts";

/** Columns of `orders()` that the card shows in its title or in the rows State and Next. */
const SHOWN_ELSEWHERE = ["entry", "order_id", "state", "status"];

/** Reads the order from the ledger; if that fails, returns it as it was: showing an order never throws. */
function readCurrentEntry(home: string, order: PlacedOrder): LedgerEntry {
  try {
    const entry = new Ledger(home).find(order.place, order.orderId);
    return entry?.entry === order.entry ? entry : order;
  } catch {
    return order;
  }
}

/**
 * Builds the card of an order: state, parameters, when it was sent, next step.
 *
 * @param home Home folder of the ledger
 */
export function buildOrderCard(home: string, order: PlacedOrder): Card {
  const entry = readCurrentEntry(home, order);
  const row = buildOrderRow(entry);
  const parameters = orderColumns.flatMap(({ name, label, unit, description }): CardRow[] => {
    if (SHOWN_ELSEWHERE.includes(name)) return [];
    const hint = `${name}: ${description}`;
    const value = row[name] ?? null;
    if (name === "sent_at") return [{ label, value: `${entry.sentAt.slice(0, 19)}Z`, hint }];
    return [{ label, value: value === null ? null : String(value), unit, hint }];
  });
  return {
    title: `Climate order ${order.orderId}`,
    rows: [
      { label: "State", value: formatState(entry) },
      ...parameters,
      { label: "Next", value: formatNextStep(entry) ?? "the order is finished" },
    ],
    synthetic: entry.place === "sample",
  };
}

/** An order that the service has given an identifier. */
export interface PlacedOrder extends LedgerEntry {
  /** Identifier that the service gave. */
  readonly orderId: string;
}

/** Whether a file is a complete archive: then its length need not be known. */
async function isWholeZip(path: string, url: string): Promise<boolean> {
  if (!isZip(await readBeginning(path))) return false;
  return await assertWholeFile(path, url).then(() => true, () => false);
}

/** Uses the file of an order. */
type UsePart<T> = (part: PartFile, facts: AnswerFacts, call: CallOptions) => Promise<T>;

/** Downloads it without the order. */
type Direct<T> = (call: CallOptions) => Promise<T>;

/**
 * A placed climate order: get its status, wait for it, download it. It survives the process: see `attachOrder()`.
 */
export class ClimateOrder {
  /** Identifier of the order. */
  readonly id: string;
  /** Identifier of the dataset. */
  readonly dataset: string;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  readonly #order: PlacedOrder;
  readonly #options: CallOptions & TableForm;

  /**
   * Makes the handle of an order in the ledger.
   *
   * @param options Connection and signal
   */
  constructor(order: PlacedOrder, options: CallOptions & TableForm) {
    this.id = order.orderId;
    this.dataset = String(order.parameters.service_id);
    this.parameters = order.parameters;
    this.#order = order;
    this.#options = options;
  }

  /** The order with its dataset, in a few words. */
  toString(): string {
    return `Climate order ${this.id} of ${this.dataset}`;
  }

  /** The order on the console: state, parameters, when it was sent, next step. */
  [CUSTOM_INSPECT](): string {
    return formatCard(this.#card());
  }

  /** The order in a notebook. */
  [JUPYTER_DISPLAY](): Bundle {
    return buildCardBundle(this.#card());
  }

  #card(): Card {
    return buildOrderCard(resolveConnection(this.#options).home, this.#order);
  }

  /** Gets the status of the order, and notes it in the ledger. */
  async status(): Promise<OrderStatus> {
    const status = await fetchStatus(this.id, this.#options);
    this.#note({ status: status.state });
    return status;
  }

  /**
   * Waits until there is an address, or until a status that promises the file was reported three times in a row.
   *
   * @param options Longest wait; listener for each new status
   * @throws {TimeoutError} If it takes longer; the order stays placed
   * @throws {CancelledError} If the signal, or Ctrl-C, ends it; the order stays placed
   * @throws {OrderFailedError} If the service no longer knows the order
   */
  async wait(options: WaitOptions = {}): Promise<OrderStatus> {
    readOptions("order.wait()", options, waitOptions);
    const { onStatus, signal = this.#options.signal } = options;
    const report = (status: OrderStatus) => {
      this.#note({ status: status.state });
      onStatus?.(status);
    };
    try {
      return await runStoppable(
        `wait for order ${this.id}`,
        formatWayOn(this.id),
        signal,
        (signal) => waitForOrder(this.id, { ...options, onStatus: report, signal }, this.#options),
      );
    } catch (error) {
      // A live service may know the order later; one in this process never will, and the next call places it again.
      const lost = error instanceof OrderFailedError &&
        (error.status === undefined || resolveConnection(this.#options).inProcess);
      if (lost) this.#note({ state: "failed" });
      throw error;
    }
  }

  /**
   * Waits, then downloads. An interrupted download, even after a crash, continues where it ended.
   *
   * @param options Longest wait; listener for each new status
   * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64)
   * @throws {TimeoutError} If it takes longer; the order stays placed
   * @throws {CancelledError} If the signal, or Ctrl-C, ends it; the order stays placed
   * @throws {OrderFailedError} If the address is no longer valid
   */
  async download(options: WaitOptions = {}): Promise<DataFrame> {
    readOptions("order.download()", options, waitOptions);
    return await this.#withFile(options, async (part, facts, call) => {
      const file = { commit: (to: string) => part.moveTo(to) };
      return buildClimateFrame(
        await useAndStore(file, part.path, facts, call, climateReader(this.#options)),
        call,
      );
    }, (call) => obtainClimateFrame(this.parameters, { ...this.#options, ...call }));
  }

  /**
   * Waits, then saves the file as the service sends it, in any of the three formats.
   *
   * @param options Longest wait; listener for each new status
   */
  async save(path: string, options: WaitOptions = {}): Promise<void> {
    readOptions("order.save()", options, waitOptions);
    await this.#withFile(
      options,
      (part, { url }) => saveCopy(part.path, path, url, this.parameters.filetype === RAW),
      (call) => saveClimateFile(this.parameters, path, call),
    );
  }

  async #withFile<T>(options: WaitOptions, use: UsePart<T>, direct: Direct<T>): Promise<T> {
    const { url } = await this.wait(options);
    const value = await runStoppable(
      `download order ${this.id}`,
      formatWayOn(this.id),
      options.signal ?? this.#options.signal,
      (signal) => this.#fetch(url, use, direct, { ...this.#options, signal }),
    );
    this.#note({ state: "delivered", status: "delivered" });
    return value;
  }

  /** Fetches the file from the order's address, or by a direct download if there is no address. */
  async #fetch<T>(
    url: string | undefined,
    use: UsePart<T>,
    direct: Direct<T>,
    call: CallOptions,
  ): Promise<T> {
    if (!url) return await direct(call);
    const connection = resolveConnection(call);
    using part = await PartFile.open(
      connection.home,
      `${connection.place} ${this.id}`,
      call.signal,
    );
    const received = checkCall("download_climate", this.parameters);
    let value: T;
    try {
      const { headers, proven } = await fetchFile(connection, url, part, call.signal);
      const isComplete = proven || await isWholeZip(part.path, redactFileUrl(url));
      value = !isComplete ? await direct(call) : await use(part, {
        ...received,
        url: redactFileUrl(url),
        headers,
        fetchedAt: findFetchTime(connection.target),
        sha256: await hashFile(part.path),
        framed: true,
        excerpt: buildExcerpt(received, connection),
      }, call);
    } catch (error) {
      if (error instanceof DataFormatError) await part.remove(); // the next try fetches it again
      throw error;
    }
    await part.remove();
    return value;
  }

  #note(change: Parameters<Ledger["note"]>[1]): void {
    new Ledger(resolveConnection(this.#options).home).note(this.#order.entry, change);
  }
}
