import type { BenchmarkRow } from "./_measured.ts";
import { sampleService } from "./_sample_service.ts";
import { median, timed } from "./_timing.ts";
import { hasWrk, wrk } from "./_wrk.ts";

/** Turbines of the sample for the first rendering. */
const TURBINES = ["T1", "T2", "T3", "T4", "T5"];

/** Measures the hourly model of 21 years as CSV, rendered at its first use, and then sent from disk. */
export async function serveModelData(): Promise<BenchmarkRow[]> {
  await using service = await sampleService();
  const rates: number[] = [];
  for (const id of TURBINES) {
    await service.ask(service.address("turbine_details", { turbine_id: id })); // creates its site
    const address = service.address("model_data", { turbine_id: id });
    let bytes = 0;
    const milliseconds = await timed(async () => bytes = (await service.ask(address)).length);
    rates.push(bytes / 1e3 / milliseconds);
  }
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const first = {
    what: "hourly model of 21 years, first rendering",
    measured: `${median(rates).toFixed(0)} MB/s (${low.toFixed(0)} to ${high.toFixed(0)})`,
    bound: "40 MB/s or more",
    holds: median(rates) >= 40,
  };
  if (!await hasWrk()) return [first];
  const address = service.address("model_data", { turbine_id: TURBINES[0] });
  const { bytes, failures } = await wrk(address, service.key, 8, 2);
  return [first, {
    what: "hourly model of 21 years, rendered file",
    measured: `${(bytes / 1e6).toFixed(0)} MB/s` + (failures > 0 ? `, ${failures} failed` : ""),
    bound: "150 MB/s or more",
    holds: bytes >= 150e6 && failures === 0,
  }];
}
