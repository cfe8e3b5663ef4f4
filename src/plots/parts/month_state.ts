import type { StateColor } from "./bands.ts";
import { palette } from "../drawing/theme.ts";

/** States of a month of an index and their colours, in the order of the legend. */
const STATES: readonly StateColor[] = [
  ["Above 100 %", palette.blue],
  ["Below 100 %", palette.orange],
  ["No data", palette.missing],
  ["Above, preliminary", palette.paleBlue],
  ["Below, preliminary", palette.paleOrange],
];

/** Edge of the bars of states, in the full colour of their side: a pale bar alone has too little contrast. */
export const stateEdge = {
  condition: [[3, palette.blue], [4, palette.orange]].map(([i, value]) => ({
    test: `datum.state === '${STATES[Number(i)][0]}'`,
    value,
  })),
  value: null,
};

/** State of a month without a value. */
export const NO_DATA = STATES[2][0];

/** Whether the reanalysis of a month may still be replaced. */
function isPreliminary(status: string | null): boolean {
  return status === "preliminary";
}

/** State of a month by the sign of its index and its status. */
export function classifyMonth(value: number | null, status: string | null): string {
  if (value === null) return NO_DATA;
  return STATES[(value >= 100 ? 0 : 1) + (isPreliminary(status) ? 3 : 0)][0];
}

/** The states that occur, with their colours, in the order of the legend. */
export function listStates(
  rows: readonly { readonly state: string }[],
): StateColor[] {
  const found = new Set(rows.map((row) => row.state));
  return STATES.filter(([state]) => found.has(state));
}

/** State of a month whose reanalysis may still be replaced. */
export const PRELIMINARY = "Preliminary";

const FINAL = "Final";

/** State of a month without its sign, for charts that show the sign by a line or by the colour of a cell. */
export function classifyRecord(value: number | null, status: string | null): string {
  return value === null ? NO_DATA : isPreliminary(status) ? PRELIMINARY : FINAL;
}
