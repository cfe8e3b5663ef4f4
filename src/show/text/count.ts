import { formatNumber } from "./number.ts";

/** Formats a number of things: "1 turbine", "1,200 turbines", "2 entries". */
export function formatCount(count: number, thing: string, things = `${thing}s`): string {
  return `${formatNumber(count)} ${count === 1 ? thing : things}`;
}

/** A label for the middle of a sentence; the id of a turbine in it is not changed. */
export function lowerFirst(label: string): string {
  return label.slice(0, 1).toLowerCase() + label.slice(1);
}

/** Joins names: "a, b and c", or the first of many and how many more there are. */
export function joinNames(names: readonly string[], max = Infinity, last = "and"): string {
  const more = names.length - max;
  const parts = more > 0 ? [...names.slice(0, max), `${formatNumber(more)} more`] : names;
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} ${last} ${parts[parts.length - 1]}`;
}
