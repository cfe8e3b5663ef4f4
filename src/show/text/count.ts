import { formatNumber } from "./number.ts";

/**
 * Formats a number of things: "1 turbine", "1,200 turbines".
 *
 * @param count How many
 * @param thing What one of them is called
 */
export function formatCount(count: number, thing: string): string {
  return `${formatNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}
