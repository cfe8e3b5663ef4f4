import { ArgumentError } from "../../src/api/errors.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";

/** The chart; `undefined` if it is refused with a message for users. */
export function buildOrRefuse(build: () => Chart): Chart | undefined {
  try {
    return build();
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
}
