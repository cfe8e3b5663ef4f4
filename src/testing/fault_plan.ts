import { checkFault } from "./check_fault.ts";
import type { Fault, FaultAct, RequestKind } from "./fault.ts";

/** A fault with the requests that it has let pass and affected so far. */
interface PendingFault {
  readonly fault: Fault;
  passed: number;
  hit: number;
}

/** Whether an act can affect a request: one on ranges needs a request with a range, `unasked` one without. */
function appliesTo(act: FaultAct, hasRange: boolean): boolean {
  return act.kind !== "range" || hasRange === (act.how !== "unasked");
}

/** Decides which fault affects which request. */
export class FaultPlan {
  readonly #pending: PendingFault[] = [];

  /** @param faults The faults, first come first served */
  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.inject(fault);
  }

  /**
   * Adds a fault behind the others.
   *
   * @throws {ArgumentError} If no request can match it
   */
  inject(fault: Fault): void {
    checkFault(fault);
    this.#pending.push({ fault: { ...fault }, passed: 0, hit: 0 });
  }

  /**
   * Counts a request, and selects what happens to it.
   *
   * @param hasRange Whether it requests a range
   * @returns `undefined` where it is answered correctly
   */
  take(kind: RequestKind | undefined, hasRange: boolean): FaultAct | undefined {
    for (const pending of this.#pending) {
      const { on = kind, after = 0, times = 1, act } = pending.fault;
      if (pending.hit >= times || on !== kind || !appliesTo(act, hasRange)) continue;
      if (pending.passed < after) {
        pending.passed++;
        continue;
      }
      pending.hit++;
      return act;
    }
    return undefined;
  }
}
