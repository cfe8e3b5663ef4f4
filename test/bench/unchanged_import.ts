import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { shareStorage } from "../../src/machines/mod.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { putSite } from "../../src/sites/keep/put_site.ts";
import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import { planSite } from "../../src/sites/fleet/plan_site.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { storeSite } from "../../src/sites/fleet/store_site.ts";
import { openStorage, type Storage, type StorageHandle } from "../../src/storage/storage.ts";
import { hasPostgres, startPostgres } from "../_postgres.ts";
import { hasS3, startS3 } from "../_s3.ts";
import { buildGridSite, buildTurbine } from "../sites/_grid_site.ts";
import { month, turbine as storedTurbine } from "../storage/store/_records.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

const TURBINES = 10_000;

/** Months of each turbine, and its months with production. */
const [MONTHS, PRODUCED] = [240, 48];

/** Size of the file of an hourly model, bytes. A real one has 4 MB, but the import reads no model file. */
const MODEL_BYTES = 4000;

/** Largest growth of the process's memory, bytes. */
const MAX_GROWTH = 5e8;

const buildMonths = () =>
  Array.from(
    { length: MONTHS },
    (_, i) => ({ ...month(1 + i % 12), year: 2005 + Math.floor(i / 12) }),
  );

/** Builds a site of turbines in a grid, each with production. */
function buildSite(): SiteData {
  const turbines = Array.from({ length: TURBINES }, (_, i) => {
    const [latitude, longitude] = [55.05 + 0.9 * (i % 100) / 100, 8.05 + 1.9 * i / TURBINES];
    const periods = Array.from({ length: PRODUCED }, (_, k) => ({
      label: `${2021 + Math.floor(k / 12)}-${String(1 + k % 12).padStart(2, "0")}`,
      start: Date.UTC(2021, k, 1),
      end: Date.UTC(2021, k + 1, 1),
      energy: 1e5 + i + k,
    }));
    const production = [{ kind: "periods" as const, periods }];
    return { ...buildTurbine(`T${i}`, latitude, longitude), production };
  });
  return buildGridSite({ turbines, fingerprint: "first" });
}

/** Stores the site as if it had been computed. */
async function prepare(data: SiteData, { store, files }: Storage): Promise<void> {
  const plan = await planSite(data, new Neighbourhood(data), sitesOf(store), new Set(), {
    recalibrate: false,
    signal: undefined,
  });
  const turbines = [];
  for (const { turbine } of data.turbines) {
    const { stored } = storedTurbine(turbine.id, []);
    const content = new TextEncoder().encode(turbine.id.padEnd(MODEL_BYTES));
    const modelFile = await files.put(content, "parquet");
    const inputs = plan.inputs.get(turbine.id)!;
    turbines.push({ stored: { ...stored, turbine, modelFile, inputs }, months: buildMonths() });
  }
  const { site, fingerprint, world, reanalyses } = data;
  const datasets = reanalyses.map(({ dataset }) => dataset);
  await putSite(store, { site, fingerprint, world, datasets, points: [], turbines });
}

async function importAgain(
  where: string,
  seconds: number,
  open: () => Promise<StorageHandle>,
): Promise<BenchmarkRow[]> {
  const data = buildSite();
  {
    await using storage = await open();
    await prepare(data, storage);
  }
  const rows: BenchmarkRow[] = [];
  for (
    const [what, site] of [["the same files", data], ["other files, the same inputs", {
      ...data,
      fingerprint: "other",
    }]] as const
  ) {
    await using storage = await open();
    const before = Deno.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 20);
    const begun = performance.now();
    const { unchanged, turbines } = await storeSite(site, storage);
    const milliseconds = performance.now() - begun;
    clearInterval(timer);
    const growth = Math.max(most, Deno.memoryUsage().rss) - before;
    if (turbines.length > 0 || unchanged !== (site === data)) throw new Error("it was not kept");
    rows.push({
      what: `import again, ${TURBINES} turbines, ${where}, ${what}`,
      measured: `${(milliseconds / 1000).toFixed(1)} s, ${(growth / 1e6).toFixed(0)} MB`,
      bound: `${seconds} s or less, memory grows by ${MAX_GROWTH / 1e6} MB at most`,
      holds: milliseconds <= 1000 * seconds && growth <= MAX_GROWTH,
    });
  }
  return rows;
}

/** Measures an import of an unchanged site, on one machine and on shared storage. */
export async function unchangedImport(): Promise<BenchmarkRow[]> {
  await using ends = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  ends.defer(() => Deno.remove(folder, { recursive: true }));
  const rows = await importAgain("SQLite", 20, () => openStorage(folder, { create: true }));
  if (!hasPostgres || !hasS3) {
    const measured = "not measured: PostgreSQL or versitygw is not installed";
    return [...rows, { what: "import again, PostgreSQL and S3", measured, bound: "", holds: true }];
  }
  const postgres = ends.adopt(await startPostgres(), (it) => it.stop());
  const s3 = ends.adopt(await startS3(), (it) => it.stop());
  for (const [name, value] of Object.entries(s3.environment)) Deno.env.set(name, value);
  const database = await postgres.createDatabase();
  await migratePostgres(database);
  await migrateQueue(database);
  const shared = shareStorage({ database, files: `${s3.address}/wind` });
  return [...rows, ...await importAgain("PostgreSQL, S3", 40, () => shared.open())];
}
