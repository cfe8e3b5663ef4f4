import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { moveData } from "../../src/machines/move_data.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { type Machines, shareStorage } from "../../src/machines/mod.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { hasPostgres, startPostgres } from "../_postgres.ts";
import { startLogged } from "./_logged_server.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { sampleService } from "./_sample_service.ts";
import { median } from "./_timing.ts";
import { hasWrk, type Load, wrk } from "./_wrk.ts";

const SECONDS = 4;
const CONNECTIONS = 32;
/** Number of runs on SQLite and on PostgreSQL, in turns, so other load slows both. */
const PAIRS = 7;
const MIN_RATIO = 0.5;

/** Moves data into a new shared storage. */
async function share(data: string, storage: Machines): Promise<void> {
  await migratePostgres(storage.database);
  await migrateQueue(storage.database);
  await using from = await openStorage(data);
  await using to = await openStorage(storage);
  await moveData(from, to);
}

/** Measures a monthly index of the same data from SQLite and from PostgreSQL, each on its own server under load. */
export async function indexFromPostgres(): Promise<BenchmarkRow> {
  const what = "monthly index from PostgreSQL, request log on";
  const bound = `${MIN_RATIO} x the rate of SQLite or more`;
  const missing = !await hasWrk() ? "wrk" : !hasPostgres ? "PostgreSQL" : undefined;
  if (missing !== undefined) {
    return { what, measured: `not measured: ${missing} is not installed`, bound: "", holds: true };
  }
  await using ends = new AsyncDisposableStack();
  const sample = ends.use(await sampleService());
  const month = sample.address("monthly_index", { turbine_id: "T1", year: 2024, month: 5 });
  await sample.ask(month); // the sample creates its turbines
  const postgres = ends.adopt(await startPostgres(), (it) => it.stop());
  const home = await Deno.makeTempDir();
  ends.defer(() => Deno.remove(home, { recursive: true }));
  const [database, files] = [await postgres.createDatabase(), `${home}/files`];
  await Deno.mkdir(files);
  await share(sample.data, shareStorage({ database, files }));
  const [sqlite, shared] = [
    ends.use(await startLogged(["serve", "--data", sample.data], { VINDKIT_HOME: home })),
    ends.use(
      await startLogged(["shared", "serve"], {
        VINDKIT_HOME: home,
        VINDKIT_DATABASE: database,
        VINDKIT_FILES: files,
      }),
    ),
  ];
  const load = (url: string, seconds = SECONDS) =>
    wrk(month.replace(sample.url, url), sample.key, seconds, CONNECTIONS);
  for (const { url } of [sqlite, shared]) await load(url, 3); // warm
  const pairs: [Load, Load][] = [];
  while (pairs.length < PAIRS) pairs.push([await load(sqlite.url), await load(shared.url)]);
  const ratios = pairs.map(([one, other]) => other.rate / one.rate);
  const ratio = median(ratios);
  const [alone, other] = [0, 1].map((i) => median(pairs.map((pair) => pair[i].rate)));
  const failures = pairs.flat().reduce((sum, one) => sum + one.failures, 0);
  return {
    what,
    measured: `${other.toFixed(0)} /s, SQLite ${alone.toFixed(0)} /s: ${ratio.toFixed(2)} x ` +
      `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})` +
      (failures > 0 ? `, ${failures} failed` : ""),
    bound,
    holds: ratio >= MIN_RATIO && failures === 0,
  };
}
