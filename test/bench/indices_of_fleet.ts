import type { BenchmarkRow } from "./_measured.ts";

const FLEETS = [10, 100, 1000];

/** Largest ratio of the time per turbine in a large fleet to a small one; cost should be linear. */
const LINEAR = 1.3;

const GIGABYTE = 1e9;

/** Measures fleets from climate to the six figures of every month, with a different place and height for each turbine, on two cores. */
export async function indicesOfFleet(): Promise<BenchmarkRow[]> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all", // needed to read /proc/self/status
      new URL("_fleet_work.ts", import.meta.url).pathname,
      ...FLEETS.map(String),
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const { seconds, memory } = JSON.parse(new TextDecoder().decode(stdout)) as {
    seconds: number[];
    memory: number;
  };
  const each = seconds.map((time, i) => 1000 * time / FLEETS[i]);
  const growth = Math.max(each[1] / each[0], each[2] / each[1]);
  const last = seconds[seconds.length - 1];
  return [
    {
      what: "indices of 1000 turbines x 21 years hourly, two cores",
      measured: `${last.toFixed(1)} s, ${(memory / GIGABYTE).toFixed(2)} GB`,
      bound: "30 s or less, under 2 GB",
      holds: last <= 30 && memory < 2 * GIGABYTE,
    },
    {
      what: "time per turbine in fleets of 10, 100, 1000",
      measured: `${each.map((time) => `${time.toFixed(0)} ms`).join(", ")} (x ${
        growth.toFixed(2)
      })`,
      bound: `x ${LINEAR} or less`,
      holds: growth <= LINEAR,
    },
  ];
}
