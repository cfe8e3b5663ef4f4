import { checkFault } from "./check_fault.ts";
import type { Fault, FaultAct, RequestKind } from "./fault.ts";

/** A fault with what it has counted so far. */
interface Pending {
  readonly fault: Fault;
  passed: number;
  hit: number;
}

/** Whether an act has anything to do with a request. */
function concerns(act: FaultAct, hasRange: boolean): boolean {
  return act.kind !== "range" || hasRange === (act.how !== "unasked");
}

/** Decides which request is hit by which fault. */
export class FaultPlan {
  readonly #pending: Pending[] = [];

  /** @param faults The faults, first come first served */
  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.inject(fault);
  }

  /**
   * Adds a fault behind the others.
   *
   * @throws {ArgumentError} If it can hit nothing
   */
  inject(fault: Fault): void {
    checkFault(fault);
    this.#pending.push({ fault: { ...fault }, passed: 0, hit: 0 });
  }

  /**
   * What happens to the next request.
   *
   * @param hasRange Whether it asks for a part
   * @returns `undefined` where it is answered honestly
   */
  take(kind: RequestKind | undefined, hasRange: boolean): FaultAct | undefined {
    for (const pending of this.#pending) {
      const { on = kind, after = 0, times = 1, act } = pending.fault;
      if (pending.hit >= times || on !== kind || !concerns(act, hasRange)) continue;
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
