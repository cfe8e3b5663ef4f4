import { formatNumber } from "../../show/text/number.ts";

/** Formats an energy: "1,234 MWh", with a decimal for small ones. */
export function formatEnergy(energy: number): string {
  return `${formatNumber(energy, Math.abs(energy) < 100 ? 1 : 0)} MWh`;
}
