import { connect } from "../../mod.ts";
import { type ServedSample, serveSample } from "../service/_sample.ts";
import { type Facts, factsOfOurs, wanted } from "./_facts.ts";
import { jsonOfPeer } from "./_venv.ts";

/** What a peer has read, and what our own client reads of the same service. */
export interface ReadByBoth {
  readonly peer: Facts;
  readonly ours: Facts;
}

/**
 * Serves the sample and lets a program in Python read all of it, then our own client with a key of its own.
 *
 * @param script The program
 * @param argsFor Its arguments, made with a served sample and a temporary folder
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
