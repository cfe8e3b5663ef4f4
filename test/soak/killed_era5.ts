import { hashFile } from "../../src/disk/hashes.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { withCds } from "../era5/_cds_server.ts";
import { killAt, type Moment, readLastLine, startEra5 } from "../era5/_killed_era5.ts";

/** Hours of data in each round. */
const HOURS = 59 * 24;

/** Size of the download, bytes. */
const FILE_BYTES = 150_000;

/** Moments of a kill, in turn: submission, wait, download and deletion. */
const phases: readonly ((random: SeededRandom) => Moment)[] = [
  (random) => ({ on: "submit", late: random.uniform() < 0.6 }),
  (random) => {
    const after = Math.floor(3 * random.uniform());
    return { on: after === 2 ? "results" : "job", after: after % 2, late: random.uniform() < 0.5 };
  },
  (random) => ({ on: "file", late: false, bytes: 1 + Math.floor(FILE_BYTES * random.uniform()) }),
  (random) => ({ on: "delete", late: random.uniform() < 0.5 }),
];

/** Files of the cache whose content does not match the hash in their name. */
async function listHalfFiles(home: string): Promise<string[]> {
  const broken: string[] = [];
  const folder = `${home}/cache/bodies`;
  for await (const { name } of Deno.readDir(folder)) {
    if (await hashFile(`${folder}/${name}`) !== name) broken.push(name);
  }
  return broken;
}

/**
 * Kills a process that calls `era5()` during submission, wait, download and deletion, and checks the files and jobs
 * it left.
 *
 * @param rounds How often
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function killedEra5(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const random = new SeededRandom(20_261_123);
  const seen = { sent: 0, placed: 0, resumed: 0 };
  for (let round = 0; round < rounds; round++) {
    const moment = phases[round % phases.length](random);
    const fault = (text: string) => faults.push(`round ${round} (${moment.on}): ${text}`);
    await withCds(async (server) => {
      server.packed = "bare";
      await killAt(server, moment);
      const [left] = new Ledger(server.home).listEntries();
      if (left?.state === "sent") seen.sent++;
      if (left?.state === "placed") seen.placed++;
      if (!left && server.submitted.length > 0) fault("sent but not in the ledger");
      const line = await readLastLine(startEra5(server));
      if (line !== String(HOURS)) fault(line);
      if (server.submitted.length !== 1) fault(`sent ${server.submitted.length} times`);
      if (server.jobs.size > 0) fault("a job is left");
      const states = new Ledger(server.home).listEntries().map(({ state }) => state).join();
      if (states !== "delivered") fault(`the ledger has ${states}`);
      for (const name of await listHalfFiles(server.home)) fault(`half file ${name}`);
      if (server.seen.some(({ range }) => range !== null)) seen.resumed++;
    });
    advance();
  }
  say(
    `${rounds} rounds: killed without an answer ${seen.sent}, with a known order ${seen.placed}; ` +
      `downloads resumed ${seen.resumed}`,
  );
  return faults;
}
