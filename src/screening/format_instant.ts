/** Formats an instant to the minute for messages: "2018-03-05T04:00Z". */
export function formatInstant(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 16) + "Z";
}
