/**
 * A value with the few digits that a measurement has: files of the sample compress, and differences of the last bit
 * between platforms vanish.
 *
 * @param perUnit Steps of one unit: 100 for two decimals
 */
export function roundValue(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit + 0; // -0 becomes 0
}
