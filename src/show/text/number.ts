/**
 * Formats a number with thousands marks and fixed decimals, the same in every locale: "1,234.5".
 *
 * @param value Finite number
 */
export function formatNumber(value: number, decimals = 0): string {
  const text = value.toFixed(decimals);
  const [whole, fraction] = (Number(text) === 0 ? text.replace("-", "") : text).split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}
