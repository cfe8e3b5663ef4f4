import { palette } from "./theme.ts";

/** Colour of each state that a month of an index may be in, in the order of the legend. */
const STATES: readonly (readonly [state: string, color: string])[] = [
  ["Above 100 %", palette.blue],
  ["Below 100 %", palette.orange],
  ["No data", palette.missing],
  ["Above, preliminary", palette.paleBlue],
  ["Below, preliminary", palette.paleOrange],
];

/** State of a month without a value. */
export const NO_DATA = STATES[2][0];

/** Whether the reanalysis of a month may still be replaced. */
export function isPreliminary(status: string | null): boolean {
  return status === "preliminary";
}

/** State of a month. */
export function monthState(value: number | null, status: string | null): string {
  if (value === null) return NO_DATA;
  return STATES[(value >= 100 ? 0 : 1) + (isPreliminary(status) ? 3 : 0)][0];
}

/** The states that occur, with their colours, in the order of the legend. */
export function statesAmong(
  rows: readonly { readonly state: string }[],
): (readonly [state: string, color: string])[] {
  const found = new Set(rows.map((row) => row.state));
  return STATES.filter(([state]) => found.has(state));
}
