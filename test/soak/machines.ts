import { delay } from "@std/async";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { checkNamedFiles, checkOrphans, checkQueue } from "./_machines_account.ts";
import { KnownAnswers } from "./_machines_editions.ts";
import { misfortunes } from "./_machines_faults.ts";
import { MachinesLoad } from "./_machines_load.ts";
import { MachinesWorld } from "./_machines_world.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** Latest moment of the fault in a round, ms: about the time of an import. */
const MAX_MOMENT = 3000;

/**
 * Servers and workers share a PostgreSQL and an object store. Each of them fails in turn while clients continue.
 *
 * @param rounds Number of faults
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function machines(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  let during = "at the beginning";
  const fault = (text: string) => faults.push(`${during}: ${text}`);
  await using known = await KnownAnswers.prepare();
  await using world = await MachinesWorld.open();
  const load = new MachinesLoad(world, known, fault);
  await world.startWorkers();
  await load.prepare();
  await world.startServers();
  const kinds = Object.entries(misfortunes);
  const begun = performance.now();
  for (let round = 0; round < rounds; round++) {
    const [name, happen] = kinds[round % kinds.length];
    const random = new SeededRandom(`machines ${round}`);
    during = `round ${round}, ${name}`;
    await load.during(delay(random.below(MAX_MOMENT)).then(() => happen(world, random)));
    await load.checkAnswers();
    await checkNamedFiles(world, fault);
    advance();
  }
  const seconds = (performance.now() - begun) / 1000;
  during = "at the end";
  await load.checkOrders();
  const stored = await sitesOf(world.store).edition("grid");
  if (stored !== load.imports) fault(`${load.imports} imports were stored ${stored} times`);
  const again = await checkQueue(world.database, load.orders.size, fault);
  const codes = await world.end();
  if (codes.some((code) => code !== 0)) {
    fault(`servers and workers ended with the exit codes ${codes}`);
  }
  const removed = await checkOrphans(world, fault);
  const { imports, orders, revocations, refusals, reads } = load;
  say(`${rounds} rounds, ${seconds.toFixed(0)} s: ${imports} imports, ${orders.size} orders`);
  say(`${revocations} revocations, ${refusals} answers rejected after them`);
  say(`${reads} answers compared, ${world.failedTries} attempts failed and were repeated`);
  say(`${again} jobs restarted; ${removed} files removed because no row named them`);
  return faults;
}
