/**
 * Judges a fleet by ten years of monthly production, through the client. Arguments: address of the service, number of
 * turbines. Prints seconds, memory and the number of judged turbines as JSON.
 */
import pl, { type DataFrame } from "nodejs-polars";
import { connect } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { checkFleet } from "../../src/cli/answers/check_fleet.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";

const [url, turbines] = Deno.args;
const ids = Array.from({ length: Number(turbines) }, (_, i) => `W${i}`);

/** Production: 95 % of the prediction, with noise of 4 % and a stop of a month. */
function produce(indices: DataFrame, turbine: number): DataFrame {
  const random = new SeededRandom(turbine);
  const energies = [...extractNumbers(indices, "predicted_production")].map((predicted, i) =>
    0.95 * predicted * (1 + 0.04 * random.normal()) * (i === turbine % 120 ? 0.7 : 1)
  );
  return indices.select("month").withColumn(pl.Series("energy", energies, pl.Float64));
}

/** Production of all turbines, made over another connection, so the measured one stays unused. */
async function loadProductions(): Promise<Map<string, DataFrame>> {
  await using connection = connect({ url, key: "bench", progress: false });
  const indices = await monthlyIndices(ids, { connection });
  return new Map(
    indices.partitionBy("turbine_id").map((frame: DataFrame) => {
      const id = String(frame.getColumn("turbine_id").get(0));
      return [id, produce(frame, Number(id.slice(1)))];
    }),
  );
}

const productions = await loadProductions();
await using connection = connect({ url, key: "bench", progress: false });
const begun = performance.now();
const { fleet } = await checkFleet(ids, productions, { month: "2025-12" }, undefined, {
  connection,
});
const seconds = (performance.now() - begun) / 1000;
const verdicts = fleet.frames.turbines.getColumn("verdict").toArray();
const judged = verdicts.filter((verdict) => verdict !== "cannot be told").length;
const status = Deno.readTextFileSync("/proc/self/status");
const memory = Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
console.log(JSON.stringify({ seconds, memory, judged }));
