import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { importFile, makeSite } from "../sites/_site.ts";
import { type Taken, takenBy } from "./_memory.ts";
import { MixedLoad } from "./_mixed_load.ts";
import { ImportProcess, pause, ServiceProcess } from "./_processes.ts";

/** Number of simultaneous clients. */
const CLIENTS = 8;

/** Share of the time to skip, while caches fill and code is compiled. */
const WARM_UP = 0.25;

/** Allowed growth from the mean of the first third to the last: a share, or MB, whichever is more. */
const FLAT = { share: 0.05, megabytes: 10 };

/** Allowed growth of open files and sockets from the first third to the last. */
const MORE_DESCRIPTORS = 2;

/** Pause between two measurements, ms. */
const MEASURE_PAUSE = 500;

/** Pause between two imports, ms. */
const IMPORT = 30_000;

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Lets clients make all kinds of calls during imports, and checks that memory and open files of the service stay
 * constant.
 *
 * @param minutes How long
 * @param say Prints the results
 * @param advance Called after each part of the run
 * @returns Violations, in words
 */
export async function steadyMemory(
  minutes: number,
  say: (line: string) => void,
  advance: (by: number) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const data = await Deno.makeTempDir();
  const site = await makeSite();
  const siteFiles = [await site.siteFile(), site.path("higher.json")];
  const [turbine] = site.declared.turbines;
  const higher = { ...site.declared, turbines: [{ ...turbine, hub_height: 81 }] };
  await Deno.writeTextFile(siteFiles[1], JSON.stringify(higher));
  await importFile(siteFiles[0], data);
  const licence = { serialNumber: "S-1", email: "a@example.com" };
  const { key } = await addLicence(data, licence, { key: true });
  await using service = await ServiceProcess.start(data, "--log");
  const load = new MixedLoad(service.url, key!, new SeededRandom("steady memory"));
  const end = performance.now() + minutes * 60_000;
  const under = () => performance.now() < end;
  const client = async () => {
    while (under()) await load.next();
  };
  let imports = 0;
  const importer = async () => {
    while (under()) {
      const next = performance.now() + IMPORT;
      await new ImportProcess(siteFiles[++imports % 2], data).through(); // another model each time
      while (under() && performance.now() < next) await pause(100);
      advance(IMPORT / 60_000);
    }
  };
  const samples: Taken[] = [];
  const sampler = async () => {
    for (; under(); await pause(MEASURE_PAUSE)) samples.push(await takenBy(service.pid));
  };
  await Promise.all([importer(), sampler(), ...Array.from({ length: CLIENTS }, client)]);
  await service.end("SIGTERM");
  await Deno.remove(data, { recursive: true });
  await Deno.remove(site.folder, { recursive: true });

  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const third = Math.floor(warm.length / 3);
  const thirds = [0, 1, 2].map((i) => warm.slice(i * third, (i + 1) * third));
  const [resident, descriptors] = (["resident", "descriptors"] as const).map((what) =>
    thirds.map((part) => mean(part.map((sample) => sample[what])))
  );
  const requests = [...load.counts.values()].reduce((sum, count) => sum + count, 0);
  say(
    `${minutes} minutes, ${CLIENTS} clients, ${requests} calls, ${imports} imports; criterion: after the first ` +
      `quarter the mean resident memory of the last third is at most ${100 * FLAT.share} % or ` +
      `${FLAT.megabytes} MB above the first third, open files at most ${MORE_DESCRIPTORS} more; ` +
      "only expected answers, no error output",
  );
  say([...load.counts].sort().map(([name, count]) => `${name} ${count}`).join(", "));
  const formatList = (values: readonly number[]) =>
    values.map((value) => value.toFixed(1)).join(", ");
  say(
    `resident memory by thirds ${formatList(resident)} MB, peak ${
      samples.at(-1)!.peak.toFixed(0)
    } MB; ` +
      `open files by thirds ${formatList(descriptors)}`,
  );
  const growth = resident[2] - resident[0];
  if (growth > Math.max(FLAT.megabytes, FLAT.share * resident[0])) {
    faults.push(`memory grows by ${growth.toFixed(1)} MB from the first third to the last`);
  }
  if (descriptors[2] - descriptors[0] > MORE_DESCRIPTORS) faults.push("open files grow");
  if (service.errors !== "") faults.push(`the service said: ${service.errors.slice(0, 1000)}`);
  return [...faults, ...new Set(load.faults)].slice(0, 20);
}
