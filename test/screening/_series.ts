import type { Finding } from "../../src/screening/finding.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";

/** Power that changes every hour, between 300 and 1,500 kW, with other values put in from a position on. */
export function lively(length: number, ...parts: [number, readonly number[]][]): Float64Array {
  const power = Float64Array.from({ length }, (_, i) => 300 + (i * 379) % 1201);
  for (const [at, values] of parts) power.set(values, at);
  return power;
}

/** Repeats a value. */
export function repeated(value: number, count: number): number[] {
  return new Array<number>(count).fill(value);
}

/** Findings without their messages. */
export function places(findings: readonly Finding[]): [Finding["kind"], number, number][] {
  return findings.map(({ kind, from, to }) => [kind, from, to]);
}

/** Power that drifts like wind power, 0 to 2,000 kW. */
export function drifting(length: number, seed: number | string): Float64Array {
  const random = new SeededRandom(seed);
  let drift = 0;
  return Float64Array.from({ length }, () => {
    drift = 0.95 * drift + random.normal();
    return Math.min(2000, Math.max(0, 700 + 250 * drift));
  });
}
