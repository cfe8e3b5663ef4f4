import { formatNumber } from "./number.ts";

/** Formats a number of things: "1 turbine", "1,200 turbines". */
export function formatCount(count: number, thing: string): string {
  return `${formatNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}
