import { connect } from "../../mod.ts";
import { type ServedSample, serveSample } from "../service/_sample.ts";
import { type Facts, factsOfOurs, wanted } from "./_facts.ts";
import { jsonOfPeer } from "./_venv.ts";

/** Facts that a peer and the client read from the same service. */
export interface ReadByBoth {
  readonly peer: Facts;
  readonly ours: Facts;
}

/**
 * Serves the sample. A Python program reads all of it, then the client, with another key.
 *
 * @param script The program
 * @param argsFor Makes its arguments from a served sample and a temporary folder
 */
export async function readByBoth(
  script: string,
  argsFor: (sample: ServedSample, folder: string) => Promise<readonly string[]> = async () =>
    await [],
): Promise<ReadByBoth> {
  const sample = await serveSample();
  const folder = await Deno.makeTempDir();
  try {
    const env = { VINDKIT_PEER_URL: sample.url, VINDKIT_PEER_KEY: await sample.newLicence() };
    const args = await argsFor(sample, folder);
    const input = JSON.stringify(wanted);
    const peer = await jsonOfPeer(script, { args, cwd: folder, env, input }) as Facts;
    const key = await sample.newLicence();
    await using connection = connect({ home: folder, url: sample.url, key });
    return { peer, ours: await factsOfOurs(connection, folder) };
  } finally {
    await sample.close();
    await Deno.remove(folder, { recursive: true });
  }
}
