import { LocalClock } from "./local_clock.ts";

/** Zones whose clocks go back to different hours, or in different nights. */
const ZONES = [
  "Europe/London",
  "Europe/Paris",
  "Europe/Helsinki",
  "America/New_York",
  "Australia/Sydney",
];

/**
 * Finds a zone in which a time of the clock is of a repeated hour: that a file has it twice may mean that it is in local time.
 *
 * @param local Time of the clock, ms since 1970 as if it were UTC
 * @returns A zone, as an example of those with the same change of clocks
 */
export function findRepeatingZone(local: number): string | undefined {
  const place = (zone: string, rule: "earlier" | "later") =>
    new LocalClock(zone, rule).toInstant(local * 1000, 0);
  return ZONES.find((zone) => place(zone, "earlier") < place(zone, "later"));
}
