import { TIME_ZONE_HEADER } from "../../src/api/world.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { modelBody } from "./_model_body.ts";
import { startServer } from "./_served.ts";
import { median, timed } from "./_timing.ts";

/** Measures twenty years of hours from a warm cache, against fetching them. */
export async function warmCache(): Promise<BenchmarkRow> {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(path, modelBody());
  const headers = { "content-type": "text/csv", [TIME_ZONE_HEADER]: "Europe/Copenhagen" };
  await using server = await startServer(path, headers);
  const connection = connect({ url: server.url, home, progress: false });
  const fetched = median(
    await runs(() => modelData("T1", { connection, cache: "refresh" })),
  );
  const kept = median(await runs(() => modelData("T1", { connection, cache: "only" })));
  await Deno.remove(path);
  await Deno.remove(home, { recursive: true });
  return {
    what: "read 20 years hourly from a warm cache",
    measured: `${kept.toFixed(0)} ms; fetching and storing them takes ${fetched.toFixed(0)} ms`,
    bound: "at most 30 ms",
    holds: kept <= 30,
  };
}

async function runs(act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 12; i++) times.push(await timed(act));
  return times.slice(2);
}
