const PER_SECOND: Readonly<Record<string, number>> = { ms: 1e3, us: 1e6, ns: 1e9 };

/**
 * Formats a duration by its parts: "1 d 2 h 30 min", "-0.25 s".
 *
 * @param value Duration in its unit
 * @param unit `ms`, `us` or `ns`
 */
export function formatDuration(value: number | bigint, unit: string): string {
  const count = BigInt(value);
  const perSecond = BigInt(PER_SECOND[unit] ?? PER_SECOND.ms);
  const size = count < 0n ? -count : count;
  const seconds = size / perSecond;
  const fraction = String(size % perSecond).padStart(String(perSecond).length - 1, "0")
    .replace(/0+$/, "");
  const rest = `${seconds % 60n}${fraction ? `.${fraction}` : ""}`;
  const parts: [bigint | string, string][] = [
    [seconds / 86_400n, "d"],
    [seconds / 3_600n % 24n, "h"],
    [seconds / 60n % 60n, "min"],
    [rest, "s"],
  ];
  const nonzero = parts.filter(([amount]) => amount !== 0n && amount !== "0");
  const text = nonzero.map(([amount, name]) => `${amount} ${name}`).join(" ") || "0 s";
  return count < 0n ? `-${text}` : text;
}
