import { SeededRandom } from "../stats/seeded_random.ts";

/** How much more likely a stop is just after another, and the hours in which that fades to 1/e. */
const REPEATED = { factor: 6, timeScale: 48 };
/** Mean hours of a stop: most are short, some wait for a spare part. */
const DURATIONS = { short: 3, long: 36, shareOfLong: 0.15 };

/** Adds the hours in which one unit is at standstill, as shares of the hour. */
function addStops(random: SeededRandom, hoursBetween: number, stopped: Float64Array): void {
  const fading = Math.exp(-1 / REPEATED.timeScale);
  let excess = 0;
  for (let i = 0; i < stopped.length; i++) {
    excess *= fading;
    if (random.uniform() * hoursBetween >= 1 + excess) continue;
    const long = random.uniform() < DURATIONS.shareOfLong;
    const begin = i + random.uniform();
    const end = begin + random.exponential(long ? DURATIONS.long : DURATIONS.short);
    for (; i < stopped.length && i < end; i++) {
      stopped[i] += Math.min(i + 1, end) - Math.max(i, begin);
    }
    i--;
    excess = REPEATED.factor;
  }
}

/**
 * Simulates the share of each hour in which the units run: random stops that come in clusters.
 *
 * @param hours Number of hours
 * @param units Units of a park: the mean over them
 * @param hoursBetween Mean time between stops of one unit, h
 */
export function simulateAvailability(
  seed: string,
  hours: number,
  units: number,
  hoursBetween: number,
): Float64Array {
  const share = new Float64Array(hours);
  for (let unit = 0; unit < units; unit++) {
    addStops(new SeededRandom(`${seed} unit ${unit}`), hoursBetween, share);
  }
  for (let i = 0; i < hours; i++) share[i] = 1 - share[i] / units;
  return share;
}
