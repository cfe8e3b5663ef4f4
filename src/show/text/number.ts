/**
 * Formats a number with thousands marks, fixed decimals and the minus of charts, the same in every locale: "−1,234.5".
 *
 * @param value Finite number
 */
export function formatNumber(value: number, decimals = 0): string {
  const text = value.toFixed(decimals);
  const [whole, fraction] = (Number(text) === 0 ? text.replace("-", "") : text).split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "\u2212");
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}

/** Formats a change as {@linkcode formatNumber}, with its sign: "+1,234.5". */
export function formatSigned(value: number, decimals = 0): string {
  return `${value < 0 ? "" : "+"}${formatNumber(value, decimals)}`;
}
