/**
 * Rounds a value to the few digits of a measurement: files of the sample compress better, and differences of the last
 * bit between platforms vanish.
 *
 * @param perUnit Steps of one unit: 100 for two decimals
 */
export function roundValue(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit + 0; // -0 becomes 0
}
