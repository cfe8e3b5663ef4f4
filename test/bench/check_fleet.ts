import { runScript, withFleetServer } from "./_fleet_process.ts";
import type { BenchmarkRow } from "./_measured.ts";

const TURBINES = 500;
const GIGABYTE = 1e9;

interface CheckFigures {
  readonly seconds: number;
  readonly memory: number;
  readonly judged: number;
}

/**
 * Measures the verdict on 500 turbines with ten years of monthly production, as `deno task check` gives it. The
 * client requests details and indices, one request each, from a server that computes nothing.
 */
export async function checkFleet(): Promise<BenchmarkRow> {
  return await withFleetServer(async (url) => {
    const { stdout, success } = await runScript("_check_work.ts", url, String(TURBINES)).output();
    if (!success) throw new Error("The fleet was not checked");
    const { seconds, memory, judged }: CheckFigures = JSON.parse(new TextDecoder().decode(stdout));
    return {
      what: `check of ${TURBINES} turbines`,
      measured: `${seconds.toFixed(1)} s, ${(memory / GIGABYTE).toFixed(2)} GB, ${judged} judged`,
      bound: "15 s or less, under 2 GB, nine of ten judged",
      holds: seconds <= 15 && memory < 2 * GIGABYTE && judged >= 0.9 * TURBINES,
    };
  });
}
