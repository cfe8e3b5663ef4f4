import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import type { Fault } from "../faults/_with_service.ts";
import type { FaultAct, RequestKind } from "../faults/_fault.ts";

/** Faults of each kind of request; an act may be listed twice to be drawn more often. */
const acts: Readonly<Partial<Record<RequestKind, readonly FaultAct[]>>> = {
  place_order: [
    { kind: "reset" },
    { kind: "lose_answer" },
    { kind: "stall", where: "headers" },
    { kind: "cut", framing: "length" },
    { kind: "slow", milliseconds: 300 },
    { kind: "status", status: 503, headers: { "retry-after": "0" } },
    { kind: "status", status: 500 },
  ],
  order_status: [
    { kind: "reset" },
    { kind: "stall", where: "headers" },
    { kind: "cut", framing: "chunked" },
    { kind: "slow", milliseconds: 300 },
    { kind: "status", status: 503, headers: { "retry-after": "0" } },
  ],
  order_file: [
    { kind: "reset" },
    { kind: "lose_answer" },
    { kind: "stall", where: "body" },
    { kind: "cut", framing: "close" },
    { kind: "cut", framing: "length", at: 0.9 },
    { kind: "cut", framing: "length", at: 0.2 },
    { kind: "cut", framing: "chunked" },
    { kind: "cut", framing: "gzip" },
    { kind: "status", status: 503, headers: { "retry-after": "0" } },
    { kind: "range", how: "ignore" },
    { kind: "range", how: "wrong_offset" },
    { kind: "range", how: "changed" },
    { kind: "range", how: "unsatisfiable" },
    { kind: "range", how: "unasked" },
  ],
};

/**
 * Draws faults for the requests of each kind.
 *
 * @param random Draws them
 * @param requests Number of requests of each kind to draw for
 * @param every One in this many requests fails, on average
 */
export function orderFaults(random: SeededRandom, requests: number, every: number): Fault[] {
  return Object.entries(acts).flatMap(([on, faults]) =>
    Array.from({ length: Math.floor(requests / every) }, (_, i) => ({
      on: on as RequestKind,
      after: i * every + random.below(every),
      act: faults[random.below(faults.length)],
    }))
  );
}
