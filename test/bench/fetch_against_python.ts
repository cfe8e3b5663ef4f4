import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { peerFile, whyWithout } from "../peers/_venv.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { sampleService } from "./_sample_service.ts";
import { median, timed } from "./_timing.ts";

const WHAT = "fetch 21 years hourly from the service";
const ROUNDS = 15;

/** K10: measures the hourly model from the service to a checked frame, against requests and Polars in Python, in turns. */
export async function fetchAgainstPython(): Promise<BenchmarkRow[]> {
  const bound = "at most 1.0 x requests + Polars in Python";
  const why = whyWithout("requests", "polars");
  if (why) {
    console.log(`skipped ${WHAT}: ${why}`);
    return [];
  }
  await using service = await sampleService();
  const address = service.address("model_data", { turbine_id: "T1" });
  const child = new Deno.Command(`${Deno.env.get("VINDKIT_PEERS")}/bin/python`, {
    args: [peerFile("fetch_model_data.py"), address, KEY_HEADER],
    env: { VINDKIT_PEER_KEY: service.key, NO_PROXY: "*" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const asks = child.stdin.getWriter();
  const answers = child.stdout.values();
  const fetchInPython = async () => {
    await asks.write(new TextEncoder().encode("\n"));
    return Number(new TextDecoder().decode((await answers.next()).value)); // one line in ms per run
  };
  const connection = connect({ url: service.url, key: service.key, progress: false });
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await fetchInPython();
    pairs.push({ theirs, ours: await timed(() => modelData("T1", { connection })) });
  }
  await asks.close();
  await child.status;
  const warm = pairs.slice(5);
  const ratio = median(warm.map(({ ours, theirs }) => ours / theirs));
  const time = median(warm.map(({ ours }) => ours));
  return [{
    what: WHAT,
    measured: `${time.toFixed(0)} ms, ${ratio.toFixed(2)} x Python`,
    bound,
    holds: ratio <= 1,
  }];
}
