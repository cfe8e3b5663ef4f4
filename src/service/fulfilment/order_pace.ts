import { delay } from "@std/async";
import { ArgumentError } from "../../api/errors.ts";

/**
 * How fast climate orders go on: each step, to approved, to complete and to the address, comes after so many seconds, or
 * after so many answers that told the state before it. It is for tests of programs that wait; without it orders go on
 * as fast as they can.
 */
export type OrderPace = { readonly seconds: number } | { readonly polls: number };

/** Longest pause before a step, s: a day. */
const MAX_SECONDS = 86_400;

/** Takes the next step of an order; says whether there is another one after it. It does not throw. */
type Step = () => Promise<boolean>;

/** Decides when orders take their steps. */
export interface Pacer {
  /** Takes an order up, unless it is under way already. */
  takeUp(id: string, step: Step): void;
  /** Told of each question for the status of an order, before it is answered; says whether that may have moved it. */
  onStatusRequest(id: string): Promise<boolean>;
  /** Begins no step any more, and waits for those under way. */
  close(): Promise<void>;
}

/** Each step after a pause; without a pause one after the other. */
class TimedPacer implements Pacer {
  readonly #pause: number; // ms
  readonly #closing = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(seconds: number) {
    this.#pause = 1000 * seconds;
  }

  takeUp(id: string, step: Step): void {
    if (this.#underWay.has(id)) return;
    this.#underWay.set(id, this.#walk(step).finally(() => this.#underWay.delete(id)));
  }

  async #walk(step: Step): Promise<void> {
    const { signal } = this.#closing;
    do {
      if (this.#pause > 0) await delay(this.#pause, { signal }).catch(() => {}); // it is closing
    } while (!signal.aborted && await step());
  }

  onStatusRequest(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay.values());
  }
}

/** An order that goes on when it is asked for. */
interface PolledOrder {
  readonly step: Step;
  /** Answers that told its present state. */
  reported: number;
  /** Questions for one order wait for each other: none is answered with a state that another one has moved. */
  turn: Promise<void>;
}

/** Each step after so many answers: exactly so many tell each state. */
class PolledPacer implements Pacer {
  readonly #polls: number;
  readonly #underWay = new Map<string, PolledOrder>();

  constructor(polls: number) {
    this.#polls = polls;
  }

  takeUp(id: string, step: Step): void {
    if (this.#underWay.has(id)) return;
    this.#underWay.set(id, { step, reported: 0, turn: Promise.resolve() });
  }

  async onStatusRequest(id: string): Promise<boolean> {
    const order = this.#underWay.get(id);
    if (!order) return false;
    order.turn = order.turn.then(() => this.#count(id, order));
    await order.turn;
    return true;
  }

  async #count(id: string, order: PolledOrder): Promise<void> {
    if (order.reported === this.#polls) {
      order.reported = 0;
      if (!await order.step()) this.#underWay.delete(id);
    }
    order.reported++;
  }

  async close(): Promise<void> {
    const turns = [...this.#underWay.values()].map(({ turn }) => turn);
    this.#underWay.clear();
    await Promise.all(turns);
  }
}

/**
 * Checks a pace before anything is opened.
 *
 * @param pace How fast orders go on
 * @throws {ArgumentError} If it is none
 */
export function checkOrderPace(pace: OrderPace | undefined): void {
  if (pace === undefined) return;
  const { seconds, polls } = pace as { seconds?: number; polls?: number };
  const problem = (seconds === undefined) === (polls === undefined)
    ? "give either seconds or polls"
    : polls !== undefined
    ? Number.isSafeInteger(polls) && polls > 0 ? "" : `polls is ${polls}, no whole number from 1`
    : seconds! > 0 && seconds! <= MAX_SECONDS
    ? ""
    : `seconds is ${seconds}, not more than 0 and at most ${MAX_SECONDS}`;
  if (problem) throw new ArgumentError(`Cannot pace orders: ${problem}`);
}

/**
 * What decides when orders take their steps.
 *
 * @param pace How fast they go on; as fast as they can unless given
 */
export function createPacer(pace?: OrderPace): Pacer {
  if (pace === undefined) return new TimedPacer(0);
  return "polls" in pace ? new PolledPacer(pace.polls) : new TimedPacer(pace.seconds);
}

/**
 * Reads a pace as it is written on the command line: `5s` or `3polls`.
 *
 * @param text The text
 * @throws {ArgumentError} If it is no pace
 */
export function parseOrderPace(text: string): OrderPace {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|polls?)$/.exec(text) ?? [];
  if (number === undefined) {
    throw new ArgumentError(
      `Cannot pace orders: "${text}" is no pace. Give one such as 5s or 3polls`,
    );
  }
  const pace = unit === "s" ? { seconds: Number(number) } : { polls: Number(number) };
  checkOrderPace(pace);
  return pace;
}
