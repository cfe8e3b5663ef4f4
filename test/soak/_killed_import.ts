import { backUp } from "../../src/service/backup.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import { answersTo, type Ask, listPaths } from "../service/_answers.ts";
import { importFile, makeSite, type TestSite } from "../sites/_site.ts";
import { monthsBetween } from "../service/_published.ts";
import { ImportProcess, pause, ServiceProcess } from "./_processes.ts";

/** Asks a service that listens. */
export function asking(url: string): Ask {
  return (path, headers) => fetch(new URL(path, url), { headers });
}

/** Longest time from an import's start to its kill, ms: about the time of a whole import. */
const MAX_LIFE = 1_000;

/** Longest time from an import's first file to its kill, ms. */
const MAX_END = 20;

const paths = listPaths(monthsBetween("2023-01", "2025-02"));

/** Number of stored series files, whether or not a row names them. */
function seriesIn(data: string): number {
  return [...Deno.readDirSync(`${data}/files`)].filter(({ name }) => name.endsWith(".parquet"))
    .length;
}

/** Imports of new months, killed while a service reads. */
export class KilledImport {
  readonly #folder: string;
  readonly #site: TestSite;
  readonly #siteFile: string;
  readonly #key: string;
  readonly #old: Record<string, string>;
  readonly #new: Record<string, string>;
  #round = 0;

  private constructor(
    folder: string,
    site: TestSite,
    siteFile: string,
    key: string,
    states: [Record<string, string>, Record<string, string>],
  ) {
    [this.#folder, this.#site, this.#siteFile, this.#key] = [folder, site, siteFile, key];
    [this.#old, this.#new] = states;
  }

  /** Prepares the two valid states: before an import and after it. */
  static async prepare(): Promise<KilledImport> {
    const folder = await Deno.makeTempDir();
    const [before, after] = [`${folder}/before`, `${folder}/after`];
    const short = await makeSite();
    await importFile(await short.siteFile(), before);
    await Deno.remove(short.folder, { recursive: true });
    const licence = { serialNumber: "S-1", email: "a@example.com" };
    const key = (await addLicence(before, licence, { key: true })).key!;
    await backUp(before, after);
    const site = await makeSite({ climate: ["2022-12-31T00", "2025-03-01T01"] });
    const siteFile = await site.siteFile();
    await importFile(siteFile, after);
    const states = [];
    for (const data of [before, after]) {
      await using service = await ServiceProcess.start(data);
      states.push(await answersTo(asking(service.url), paths, key));
      await service.end("SIGTERM");
    }
    const [old, fresh] = states;
    return new KilledImport(folder, site, siteFile, key, [old, fresh]);
  }

  /**
   * One round.
   *
   * @param random Draws the moment
   * @param fault Called with each violation
   * @returns Moment of the kill
   */
  async round(random: SeededRandom, fault: (text: string) => void): Promise<string> {
    const data = `${this.#folder}/${this.#round++}`;
    await backUp(`${this.#folder}/before`, data);
    await using reader = await ServiceProcess.start(data);
    const running = new ImportProcess(this.#siteFile, data);
    const series = seriesIn(data);
    // At any time, or while it moves its files into place and then writes its rows.
    const atOnce = this.#round % 2 === 0;
    while (!running.over && !atOnce && seriesIn(data) === series) await pause(1);
    await pause(random.uniform() * (atOnce ? MAX_LIFE : MAX_END));
    const killed = await running.kill();
    const placed = seriesIn(data) > series;
    const state = await this.#state(reader, fault, "the service that read meanwhile");
    await reader.end("SIGTERM");
    await using restarted = await ServiceProcess.start(data);
    const again = await this.#state(restarted, fault, "the service started again");
    if (state !== again) fault(`${state} state while it ran, ${again} state after its restart`);
    if (killed && restarted.errors + reader.errors !== "") fault(restarted.errors + reader.errors);
    await new ImportProcess(this.#siteFile, data).through();
    if (await this.#state(restarted, fault, "after the import was run again") !== "new") {
      fault("the repeated import did not give the new state");
    }
    await restarted.end("SIGTERM");
    await backUp(data, `${data}-checked`); // checks that each file a row names exists and has its hash
    for (const folder of [data, `${data}-checked`]) await Deno.remove(folder, { recursive: true });
    if (!killed) return "too late";
    if (state === "new") return "after its rows";
    return placed ? "between files and rows" : "before its files";
  }

  /** The state that all answers of a service agree with. */
  async #state(
    service: ServiceProcess,
    fault: (text: string) => void,
    who: string,
  ): Promise<"old" | "new" | "mixed"> {
    const answers = await answersTo(asking(service.url), paths, this.#key);
    const like = (state: Record<string, string>) =>
      paths.filter((path) => answers[path] !== state[path]);
    const [unlikeOld, unlikeNew] = [like(this.#old), like(this.#new)];
    if (unlikeNew.length === 0) return "new";
    if (unlikeOld.length === 0) return "old";
    fault(
      `${who} answers neither the old nor the new: not as before ${unlikeOld}, not as after ${unlikeNew}`,
    );
    return "mixed";
  }

  /** Removes its files. */
  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
    await Deno.remove(this.#site.folder, { recursive: true });
  }
}
