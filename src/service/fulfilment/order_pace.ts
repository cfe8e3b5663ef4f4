import { delay } from "@std/async";
import { ArgumentError } from "../../api/errors.ts";

/**
 * Pace of climate orders. Each step (approved, complete, address) comes after a number of seconds, or after a number of
 * answers that reported the previous state. Meant for tests of programs that wait; without it orders proceed as fast as
 * possible.
 */
export type OrderPace = { readonly seconds: number } | { readonly polls: number };

/** Longest pause before a step, s: a day. */
const MAX_SECONDS = 86_400;

/** First pause before a failed step is retried, ms; it doubles up to the longest pause. */
const RETRY_PAUSE = 1000;

/** Longest pause before a step that failed is taken again, ms: five minutes. */
const MAX_RETRY_PAUSE = 300_000;

/**
 * Result of a step: `done` (the next one follows), `failed` (it is retried) or `ended` (the order takes no more steps).
 */
export type StepResult = "done" | "failed" | "ended";

/** Takes the next step of an order. It does not throw. */
type Step = () => Promise<StepResult>;

/** Decides when orders take their steps. */
export interface Pacer {
  /** Starts the steps of an order, unless it is under way already. */
  takeUp(id: string, step: Step): void;
  /** Called before each request for the status of an order is answered; returns whether that may have changed it. */
  onStatusRequest(id: string): Promise<boolean>;
  /** Starts no further step, and waits for those under way. */
  close(): Promise<void>;
}

/** Each step after a pause in ms; without one at once. One that failed is taken again after a growing pause. */
function createTimedPacer(usual: number): Pacer {
  const closing = new AbortController();
  const { signal } = closing;
  const underWay = new Map<string, Promise<void>>();
  const walk = async (step: Step): Promise<void> => {
    for (let pause = usual;;) {
      if (pause > 0) await delay(pause, { signal }).catch(() => {}); // it is closing
      if (signal.aborted) return;
      const result = await step();
      if (result === "ended") return;
      pause = result === "done"
        ? usual
        : Math.min(MAX_RETRY_PAUSE, Math.max(RETRY_PAUSE, 2 * pause));
    }
  };
  return {
    takeUp: (id, step) => {
      if (!underWay.has(id)) underWay.set(id, walk(step).finally(() => underWay.delete(id)));
    },
    onStatusRequest: () => Promise.resolve(false),
    close: async () => {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** An order whose steps depend on requests for its status. */
interface PolledOrder {
  readonly step: Step;
  /** Number of answers that reported its present state. */
  reported: number;
  /** Requests for one order take turns, so none is answered with a state that another one has just changed. */
  turn: Promise<void>;
}

/** Each step after a number of answers: exactly that many report each state. */
function createPolledPacer(polls: number): Pacer {
  const underWay = new Map<string, PolledOrder>();
  const count = async (id: string, order: PolledOrder): Promise<void> => {
    if (order.reported === polls) {
      order.reported = 0;
      if (await order.step() === "ended") underWay.delete(id);
    }
    order.reported++;
  };
  return {
    takeUp: (id, step) => {
      if (!underWay.has(id)) underWay.set(id, { step, reported: 0, turn: Promise.resolve() });
    },
    onStatusRequest: async (id) => {
      const order = underWay.get(id);
      if (!order) return false;
      order.turn = order.turn.then(() => count(id, order));
      await order.turn;
      return true;
    },
    close: async () => {
      const turns = [...underWay.values()].map(({ turn }) => turn);
      underWay.clear();
      await Promise.all(turns);
    },
  };
}

/**
 * Checks a pace before anything is opened.
 *
 * @param pace Pace of orders
 * @throws {ArgumentError} If it is not valid
 */
export function checkOrderPace(pace: OrderPace | undefined): void {
  if (pace === undefined) return;
  const { seconds, polls } = pace as { seconds?: number; polls?: number };
  const problem = (seconds === undefined) === (polls === undefined)
    ? "give either seconds or polls"
    : polls !== undefined
    ? Number.isSafeInteger(polls) && polls > 0 ? "" : `polls is ${polls}, not a whole number from 1`
    : seconds! > 0 && seconds! <= MAX_SECONDS
    ? ""
    : `seconds is ${seconds}, not more than 0 and at most ${MAX_SECONDS}`;
  if (problem) throw new ArgumentError(`Cannot pace orders: ${problem}`);
}

/**
 * Creates what decides when orders take their steps.
 *
 * @param pace Pace of orders; as fast as possible unless given
 */
export function createPacer(pace?: OrderPace): Pacer {
  if (pace === undefined) return createTimedPacer(0);
  return "polls" in pace ? createPolledPacer(pace.polls) : createTimedPacer(1000 * pace.seconds);
}

/**
 * Reads a pace as it is written on the command line: `5s` or `3polls`.
 *
 * @param text The text
 * @throws {ArgumentError} If it is not a pace
 */
export function parseOrderPace(text: string): OrderPace {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|polls?)$/.exec(text) ?? [];
  if (number === undefined) {
    throw new ArgumentError(
      `Cannot pace orders: "${text}" is not a pace. Give one such as 5s or 3polls`,
    );
  }
  const pace = unit === "s" ? { seconds: Number(number) } : { polls: Number(number) };
  checkOrderPace(pace);
  return pace;
}
