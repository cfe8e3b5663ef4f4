import type { SiteStore, StoredTurbine } from "../../storage/mod.ts";
import type { ImportedSites } from "./import_sites.ts";
import { describeTurbines, type Reported } from "./reported.ts";
import { findTurbineNews, type TurbineNews } from "./turbine_news.ts";

/** What is new since the last update. */
export interface News {
  /** What is new of turbines, by identifier. */
  readonly turbines: ReadonlyMap<string, TurbineNews>;
  /** Turbines that were deleted. */
  readonly gone: readonly string[];
  /** What the sources of the climate say that they did not say before, each after its site: who imported that has read the first. */
  readonly notes: readonly (readonly [site: string, note: string])[];
}

/** What a note is about: with other figures, months or identifiers it is the same. */
const causeOf = (note: string) => note.replace(/\S*\d\S*/g, "#");

/**
 * Finds what is new of the sites that were imported; of others it is found once they are.
 *
 * @param turbines All turbines that are stored
 * @returns What is new, and what is then reported of turbines and notes
 */
export async function findNews(
  sites: SiteStore,
  turbines: readonly StoredTurbine[],
  last: Reported,
  { notes, failures }: ImportedSites,
): Promise<{ news: News; reported: Pick<Reported, "turbines" | "notes"> }> {
  const found = new Map<string, TurbineNews>();
  const imported = turbines.filter(({ site }) => notes.has(site));
  for (const stored of imported) {
    const { id } = stored.turbine;
    const news = await findTurbineNews(sites, stored, last.turbines[id]);
    if (news) found.set(id, news);
  }
  const present = new Set(turbines.map(({ turbine: { id } }) => id));
  const kept = Object.entries(last.turbines).filter(([, { site }]) => failures.has(site));
  return {
    news: {
      turbines: found,
      gone: Object.entries(last.turbines)
        .filter(([id, { site }]) => !present.has(id) && !failures.has(site))
        .map(([id]) => id),
      notes: [...notes].flatMap(([site, all]) =>
        all.filter((note) => last.notes[site] && !last.notes[site].includes(causeOf(note)))
          .map((note) => [site, note] as const)
      ),
    },
    reported: {
      turbines: { ...Object.fromEntries(kept), ...describeTurbines(imported) },
      notes: {
        ...last.notes,
        ...Object.fromEntries([...notes].map(([site, all]) => [site, all.map(causeOf)])),
      },
    },
  };
}
