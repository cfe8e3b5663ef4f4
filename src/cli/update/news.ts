import type { ImportedSites } from "./import_sites.ts";
import { describeTurbines, type Reported, type ReportedTurbine } from "./update_report.ts";
import { SYNTHETIC, type World } from "../../api/world.ts";
import {
  findLargestChange,
  formatTurbineNews,
  groupLines,
  hasNews,
  listCauses,
  type Sites,
  type StoredTurbine,
  type TurbineNews,
} from "../../sites/mod.ts";
import { listNames } from "../../show/text/numbers.ts";
import { listGiven } from "../../show/text/lists.ts";

/** News since the last update. */
export interface News {
  /** News of turbines, by identifier. */
  readonly turbines: ReadonlyMap<string, NewsWithFindings>;
  /** Turbines that were deleted. */
  readonly gone: readonly string[];
  /**
   * New notes from the sources of the climate, each with its site; the import of a site already showed its first notes.
   */
  readonly notes: readonly (readonly [site: string, note: string])[];
}

/** Key of a note's cause: the same for other figures, months or identifiers. */
const causeOf = (note: string) => note.replace(/\S*\d\S*/g, "#");

/**
 * Finds the news of imported sites; other sites follow once they are imported.
 *
 * @param turbines All stored turbines
 * @returns The news, and the new state of reported turbines and notes
 */
export async function findNews(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  last: Reported,
  { notes, failures }: Pick<ImportedSites, "notes" | "failures">,
): Promise<{ news: News; reported: Pick<Reported, "turbines" | "notes"> }> {
  const turbineNews = new Map<string, NewsWithFindings>();
  const imported = turbines.filter(({ site }) => notes.has(site));
  for (const stored of imported) {
    const { id } = stored.turbine;
    const news = await findTurbineNews(sites, stored, last.turbines.get(id));
    if (news) turbineNews.set(id, news);
  }
  const present = new Set(turbines.map(({ turbine: { id } }) => id));
  const kept = [...last.turbines].filter(([, { site }]) => failures.has(site));
  return {
    news: {
      turbines: turbineNews,
      gone: [...last.turbines]
        .filter(([id, { site }]) => !present.has(id) && !failures.has(site))
        .map(([id]) => id),
      notes: [...notes].flatMap(([site, all]) =>
        all.filter((note) => last.notes.get(site)?.includes(causeOf(note)) === false)
          .map((note) => [site, note] as const)
      ),
    },
    reported: {
      turbines: new Map([...kept, ...describeTurbines(imported)]),
      notes: new Map([
        ...last.notes,
        ...[...notes].map(([site, all]) => [site, all.map(causeOf)] as const),
      ]),
    },
  };
}

/** News of a turbine since the last update. */
export interface NewsWithFindings extends TurbineNews {
  /** New findings that need a person. */
  readonly findings: readonly string[];
}

/** Why all months of a turbine are new although it was reported: edition numbers only grow while it stays stored. */
const OTHER_HISTORY =
  "the stored data are older than the last report, probably because a backup was restored or the turbine was " +
  "deleted and imported again. All stored months are reported as new";

/**
 * Finds the news of a turbine.
 *
 * @param last The turbine as last reported; `undefined` if never
 * @returns `undefined` without news
 */
export async function findTurbineNews(
  sites: Sites,
  now: StoredTurbine,
  last: ReportedTurbine | undefined,
): Promise<NewsWithFindings | undefined> {
  const isOther = last !== undefined && last.edition > now.edition;
  const { edition = 0, doubts = [] } = isOther ? {} : last ?? {};
  const newDoubts = now.doubts.filter(({ cause }) => !doubts.includes(cause));
  const news: NewsWithFindings = {
    ...await sites.newsOf(now, edition, now.edition),
    findings: listGiven(isOther && OTHER_HISTORY, ...newDoubts.map(({ text }) => text)),
  };
  return hasNews(news) || news.findings.length > 0 ? news : undefined;
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/**
 * Formats the news of an update, a line for each turbine or group of turbines with the same news.
 *
 * @returns An empty list without news
 */
export function formatNews({ turbines, gone, notes }: News): string[] {
  const lines = [...turbines].map(([id, news]) => [id, formatTurbineNews(news)] as const)
    .filter(([, text]) => text !== "");
  const findings = [
    ...[...turbines].flatMap(([id, news]) => news.findings.map((text) => [id, text] as const)),
    ...notes,
  ];
  return listGiven(
    ...lines.length === 0 ? [] : [
      "New since the last update (100 % is a normal month of the same name):",
      ...indent(groupLines(lines)),
    ],
    ...findings.length === 0 ? [] : ["Please check:", ...indent(groupLines(findings))],
    gone.length !== 0 &&
      `Deleted with all their months, because no site file lists them: ${
        listNames(gone)
      }. If this was a mistake, add them back to the site file and import again`,
  );
}

/** Version of the JSON format: it changes if a name or a meaning changes. */
const FORMAT_VERSION = 1;

/**
 * Builds the news file of an update; docs/news.md describes its fields.
 *
 * @param foundAt Time of the update, ISO 8601 UTC
 */
export function buildNewsFile({ turbines, gone, notes }: News, foundAt: string, world: World) {
  const all = [...turbines].map(([turbine_id, news]) => ({
    turbine_id,
    causes: listCauses([news]),
    largest_change: findLargestChange(news.months),
    ...news,
    production: news.production && {
      from: news.production.from,
      to: news.production.to,
      valid_hours: news.production.validHours,
      capacity_factor: news.production.capacityFactor,
    },
  }));
  const months = all.flatMap((one) => one.months);
  return {
    form: FORMAT_VERSION,
    ...world === "sample" ? { notice: `${SYNTHETIC}: these figures are invented` } : {},
    found_at: foundAt,
    months: months.length,
    largest_change: findLargestChange(months),
    turbines: all,
    deleted_turbines: gone,
    notes: notes.map(([site, note]) => ({ site, note })),
  };
}
