import { openService, type Service } from "../../src/service/mod.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { storeSite, type StoreSiteOptions } from "../../src/sites/fleet/store_site.ts";
import { buildPath } from "../service/_answers.ts";
import { buildGridSite, buildTurbine } from "../sites/_grid_site.ts";

/** The two editions of a site's production, imported in turn. */
export const EDITIONS = ["A", "B"] as const;

/** One of them. */
export type Edition = typeof EDITIONS[number];

const turbines = ["T1", "T2", "T3", "T4"];

/** Paths that clients read: the months of each turbine, and its hours, which are files. */
export const PATHS = turbines.flatMap((turbine_id) => [
  buildPath("wind_indices", { turbine_id }),
  buildPath("model_data", { turbine_id, start_date: "2022-01-01", end_date: "2023-01-01" }),
]);

/** Imports an edition. */
export async function importEdition(
  edition: Edition,
  storage: Storage,
  options: StoreSiteOptions = {},
): Promise<void> {
  const site = buildGridSite({ fingerprint: edition });
  const turbines = site.turbines.map(({ turbine: { id, latitude, longitude } }) => ({
    ...buildTurbine(id, latitude, longitude),
    production: buildTurbine(`${id}${edition}`, latitude, longitude).production,
  }));
  await storeSite({ ...site, turbines }, storage, options);
}

/** A table without its column of revisions, which depends on all earlier imports. */
function withoutRevisions(csv: string): string {
  const [header, ...rows] = csv.split("\n").map((row) => row.split(","));
  const at = header.indexOf("revision");
  return at === -1 ? csv : [header, ...rows].map((row) => row.toSpliced(at, 1).join()).join("\n");
}

/** The right answers, from data directories without faults. */
export class KnownAnswers implements AsyncDisposable {
  readonly #folder: string;
  readonly #services = new Map<Edition, Service>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Imports each edition into its own data directory. */
  static async prepare(): Promise<KnownAnswers> {
    const known = new KnownAnswers(await Deno.makeTempDir());
    for (const edition of EDITIONS) {
      const data = `${known.#folder}/${edition}`;
      {
        await using storage = await openStorage(data, { create: true, world: "own" });
        await importEdition(edition, storage);
      }
      known.#services.set(edition, await openService(data, { trusted: true }));
    }
    return known;
  }

  /** The answer to a path for an edition. */
  async answer(edition: Edition, path: string): Promise<string> {
    const response = await this.#services.get(edition)!.fetch(
      new Request(new URL(path, "http://wind.test")),
    );
    if (!response.ok) throw new Error(`${path} has no answer: ${response.status}`);
    return await response.text();
  }

  /** Whether a text is the answer for an edition. */
  async matches(edition: Edition, path: string, text: string): Promise<boolean> {
    return withoutRevisions(text) === withoutRevisions(await this.answer(edition, path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of this.#services.values()) await service.close();
    await Deno.remove(this.#folder, { recursive: true });
  }
}
