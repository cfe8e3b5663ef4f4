/** Hours of twenty years. */
export const HOURS = 20 * 8766;

/** Body of twenty years of model data, as the service renders it. */
export function modelBody(): string {
  const rows = ["time,wind_speed,wind_direction,temperature,air_density,power"];
  const start = Temporal.ZonedDateTime.from("2004-01-01T00:00[Europe/Copenhagen]");
  let stamp = start.epochMilliseconds;
  for (let i = 0; i < HOURS; i++, stamp += 3_600_000) {
    const hour = new Date(stamp + 3_600_000).toISOString().slice(0, 19);
    const speed = (8 + 5 * Math.sin(i / 17)).toFixed(3);
    const power = (1000 + 900 * Math.sin(i / 5)).toFixed(3);
    rows.push(
      `${hour}+01:00,${speed},${i % 360}.5,${(10 * Math.cos(i / 999)).toFixed(2)},1.2345,${power}`,
    );
  }
  return rows.join("\n") + "\n";
}
