import { fileTypes } from "../../src/api/operations/climate_data.ts";
import { DatabaseSync } from "node:sqlite";
import { OrderUncertainError, VindkitError } from "../../src/api/errors.ts";
import { connect, type Connection } from "../../src/client/connection/connection.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { placeOrder } from "../../src/client/orders/place_order.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { ORDERED } from "../service/_answers.ts";
import { importFile, makeSite } from "../sites/_site.ts";
import { MortalService } from "./_mortal_service.ts";
import { type FileOrder, formatSerialNumber, orderAccount } from "./_order_account.ts";
import { orderFaults } from "./_order_faults.ts";
import { pause } from "./_processes.ts";

/** Number of licences; each has two clients with separate ledgers. */
const LICENCES = 4;

/** Number of simultaneous calls. */
const AT_ONCE = 24;

/** One in this many calls repeats an earlier order. */
const REPEATED = 4;

/** One in this many requests of each kind fails. */
const FAULTY = 6;

/** Mean number of calls between kills of the service. */
const CALLS_PER_KILL = 50;

/** Longest pause after a kill of the service, ms, before it starts again. */
const MAX_PAUSE = 500;

/** Most attempts of a call before it counts as lost. */
const MAX_CALLS = 50;

/** Draws the orders; some are ordered several times, by several clients. */
function draw(count: number, random: SeededRandom): FileOrder[] {
  const wanted: FileOrder[] = [];
  for (let i = 0; i < count; i++) {
    const client = random.below(2 * LICENCES);
    wanted.push(
      i > 0 && random.below(REPEATED) === 0
        // Soon after the first order, so both may be under way; by any client.
        ? { ...wanted[Math.max(0, i - 1 - random.below(AT_ONCE))], client }
        : {
          client,
          latitude: 55 + i / 10_000,
          fileType: fileTypes[random.below(fileTypes.length)],
          year: 2023 + random.below(2),
        },
    );
  }
  return wanted;
}

/** Gets a file as a patient user does: retries the call, with `repeat` if the outcome is uncertain. */
async function bring(
  { latitude, fileType, year }: FileOrder,
  connection: Connection,
  path: string,
  onFailure: (error: Error) => void,
): Promise<void> {
  let repeat = false;
  for (let call = 1;; call++) {
    try {
      const order = await placeOrder(ORDERED.service_id, {
        latitude,
        longitude: ORDERED.lon,
        from: year,
        to: year,
        fileType,
        repeat,
        connection,
      });
      return await order.save(path, { firstPause: 50, timeout: 60_000 });
    } catch (error) {
      if (!(error instanceof VindkitError) || call >= MAX_CALLS) throw error;
      onFailure(error);
      repeat = error instanceof OrderUncertainError;
      await pause(100);
    }
  }
}

/** Licences with several open orders for the same parameters. */
const TWO_OPEN = `SELECT owner, search, count(*) AS number FROM documents
  WHERE kind = 'order' AND state IN ('placed', 'approved', 'complete')
  GROUP BY owner, search HAVING number > 1`;

/**
 * Orders files through a faulty network from a service that is killed, and checks files and orders.
 *
 * @param calls Number of files to order
 * @param say Prints the results
 * @param advance Called after each part of the run
 * @returns Violations, in words
 */
export async function ordersUnderFaults(
  calls: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const folder = await Deno.makeTempDir();
  const data = `${folder}/data`;
  const random = new SeededRandom("orders under faults");
  const site = await makeSite();
  await importFile(await site.siteFile(), data);
  await Deno.remove(site.folder, { recursive: true });
  await using service = new MortalService(data, orderFaults(random, 3 * calls, FAULTY));
  await service.start();
  const connections: Connection[] = [];
  for (let i = 0; i < LICENCES; i++) {
    const licence = { serialNumber: formatSerialNumber(2 * i), email: `${i}@example.com` };
    const { key } = await addLicence(data, licence, { key: true });
    for (const client of ["a", "b"]) {
      connections.push(connect({
        url: service.server.url,
        key: key!,
        home: `${folder}/home-${i}${client}`,
        timeout: 10_000,
        headersTimeout: 1_500,
        idleTimeout: 500,
        progress: false,
      }));
    }
  }
  const wanted = draw(calls, random);
  const failures = new Map<string, number>();
  const begun = performance.now();
  let next = 0;
  let over = false;
  const path = (i: number) => `${folder}/${i}`;
  const worker = async () => {
    for (let i = next++; i < wanted.length; i = next++) {
      await bring(
        wanted[i],
        connections[wanted[i].client],
        path(i),
        ({ name }) => failures.set(name, (failures.get(name) ?? 0) + 1),
      )
        .catch((error) => faults.push(`call ${i} is lost: ${error}`));
      advance();
    }
  };
  const killer = async () => {
    for (let at = 0; !over;) {
      if (at === 0) at = next + 1 + random.below(2 * CALLS_PER_KILL);
      await pause(20 + random.below(50));
      if (next < at || over) continue;
      at = 0;
      await service.kill(random.uniform() * MAX_PAUSE);
    }
  };
  const watcher = async () => {
    using database = new DatabaseSync(`${data}/vindkit.sqlite`);
    for (; !over; await pause(50)) {
      for (const { owner, search, number } of database.prepare(TWO_OPEN).all()) {
        faults.push(`${number} open orders of ${owner} for ${search}`);
      }
    }
  };
  const others = [killer(), watcher()];
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  over = true;
  await Promise.all(others);
  const seconds = (performance.now() - begun) / 1000;
  const requests = service.server.requests.length;
  await service.close();

  const ledgers = connections.flatMap(({ home }) => new Ledger(home).listEntries());
  const account = await orderAccount(data, wanted, path, ledgers);
  faults.push(...account.faults);
  if (service.errors !== "") faults.push(`the service said: ${service.errors.slice(0, 1000)}`);
  for (const connection of connections) await connection.close();
  await Deno.remove(folder, { recursive: true });
  const counts = [...failures].sort().map(([name, count]) => `${name} ${count}`).join(", ");
  say(
    `${calls} files ordered by ${LICENCES} licences with 2 clients each, in ${
      seconds.toFixed(0)
    } s; ` +
      `${requests} requests, service killed ${service.kills} times`,
  );
  say(`failures reported to callers, who retried: ${counts || "none"}`);
  say(
    `${account.orders} orders at the service for ${account.different} different files; ${account.shared} calls joined an open order`,
  );
  return [...new Set(faults)];
}
