/**
 * Computes the mean of the hour that starts at each position of an axis finer than hourly. Every `perHour`-th mean is
 * the hourly series; those between are the hours of a clock that is late by that much.
 *
 * @param values Values of equal parts of an hour; missing is NaN
 * @param perHour Parts of an hour
 * @returns As many means; NaN where a part of the hour is missing or beyond the end
 */
export function computeHourMeans(values: Float64Array, perHour: number): Float64Array {
  const means = new Float64Array(values.length).fill(NaN);
  for (let i = 0; i + perHour <= values.length; i++) {
    let sum = 0;
    for (let part = i; part < i + perHour; part++) sum += values[part];
    means[i] = sum / perHour;
  }
  return means;
}
