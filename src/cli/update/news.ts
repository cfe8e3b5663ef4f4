import { figures } from "../../api/columns/month_columns.ts";
import type { ImportedSites } from "./import_sites.ts";
import {
  describeProduction,
  describeTurbines,
  type Reported,
  type ReportedTurbine,
} from "./update_report.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import {
  hasSameEnergy,
  type Sites,
  type StoredMonth,
  type StoredTurbine,
} from "../../sites/mod.ts";
import { formatMonthLabel, monthNumberOf } from "../../time/zones.ts";

/** What is new since the last update. */
export interface News {
  /** What is new of turbines, by identifier. */
  readonly turbines: ReadonlyMap<string, TurbineNews>;
  /** Turbines that were deleted. */
  readonly gone: readonly string[];
  /**
   * New notes from the sources of the climate, each with its site; the first notes were shown when the site was
   * imported.
   */
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
  sites: Sites,
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

/** A month whose index is new or has changed. */
export interface MonthNews {
  /** Month, as "2026-10". */
  readonly month: string;
  /** Its abnormality index before, %; `null` without one. */
  readonly before: number | null;
  /** Its abnormality index now, %; `null` where its data are gone. */
  readonly after: number | null;
  readonly status: StoredMonth["status"];
}

/** What is new of a turbine since the last update. */
export interface TurbineNews {
  /** Months that had no index. */
  readonly added: readonly MonthNews[];
  /** Months whose own energy has changed. */
  readonly revised: readonly MonthNews[];
  /** Number of other months whose status, or whose figure of twelve months, a quarter or a year, has changed. */
  readonly trailing: number;
  /** Its production, if that has changed. */
  readonly production: StoredTurbine["production"];
  /** Findings that need a person and were not there before. */
  readonly doubts: readonly string[];
}

function compareMonths(before: readonly StoredMonth[], after: readonly StoredMonth[]) {
  const known = new Map(before.map((month) => [monthNumberOf(month), month]));
  const added: MonthNews[] = [];
  const revised: MonthNews[] = [];
  let trailing = 0;
  for (const month of after) {
    const old = known.get(monthNumberOf(month));
    if (month.revision === (old?.revision ?? 0)) continue;
    const news: MonthNews = {
      month: formatMonthLabel(month),
      before: old?.month_abnormality_index ?? null,
      after: month.month_abnormality_index,
      status: month.status,
    };
    if ((old?.month_index ?? null) === null && month.month_index !== null) added.push(news);
    else if (old && !hasSameEnergy(old, month)) revised.push(news);
    else if (old && figures.some(({ name }) => old[name] !== null)) trailing++;
  }
  return { added, revised, trailing };
}

/** Why all of a turbine is new although it was reported: editions are counted up as long as it is stored. */
const OTHER_HISTORY =
  "what is stored is older than what was reported last, as after a backup was put back or after the turbine was " +
  "deleted and imported anew: all that is stored is reported as new";

/**
 * Finds what is new of a turbine.
 *
 * @param last The turbine as it was reported last; `undefined` where it never was
 * @returns `undefined` where nothing is
 */
export async function findTurbineNews(
  sites: Sites,
  now: StoredTurbine,
  last: ReportedTurbine | undefined,
): Promise<TurbineNews | undefined> {
  const isOther = last !== undefined && last.edition > now.edition;
  const { edition = 0, production = "null", doubts = [] } = isOther ? {} : last ?? {};
  const { id } = now.turbine;
  const months = compareMonths(
    await sites.months(id, edition),
    await sites.months(id, now.edition),
  );
  const isSame = production === describeProduction(now);
  const found = (now.doubts ?? []).filter(({ cause }) => !doubts.includes(cause));
  const news: TurbineNews = {
    ...months,
    production: isSame ? null : now.production,
    doubts: [...isOther ? [OTHER_HISTORY] : [], ...found.map(({ text }) => text)],
  };
  const parts = [news.added, news.revised, news.doubts];
  const isNew = parts.some(({ length }) => length > 0) || news.trailing > 0 || !isSame;
  return isNew ? news : undefined;
}

/** Months that are named; more are counted. */
const MAX_NAMED = 6;

const formatIndex = (value: number | null) => value === null ? "no index" : `${value.toFixed(1)} %`;

function formatAdded({ month, after, status }: MonthNews): string {
  return `${month} with ${formatIndex(after)}${status === "preliminary" ? " (preliminary)" : ""}`;
}

function formatRevised({ month, before, after }: MonthNews): string {
  const [old, now] = [before, after].map(formatIndex);
  return old === now ? `${month} by less than 0.1 %` : `${month} from ${old} to ${now}`;
}

function formatMonths(
  what: string,
  months: readonly MonthNews[],
  format: (one: MonthNews) => string,
): string[] {
  if (months.length === 0) return [];
  if (months.length <= MAX_NAMED) return [`${what} ${months.map(format).join(", ")}`];
  return [`${what} ${months.length} months of ${months[0].month} to ${months.at(-1)!.month}`];
}

function describeHours({ from, to, validHours }: NonNullable<TurbineNews["production"]>): string {
  return `production ${from} to ${to}, ${formatNumber(validHours)} h valid`;
}

function formatTurbine({ added, revised, trailing, production }: TurbineNews): string {
  return [
    ...formatMonths("new", added, formatAdded),
    ...formatMonths("revised", revised, formatRevised),
    ...trailing === 0 ? [] : [
      `${formatCount(trailing, "other month")} with another status, or another figure ` +
      "of twelve months, a quarter or a year",
    ],
    ...production ? [describeHours(production)] : [],
  ].join("; ");
}

/** Lines of texts, each after all turbines that have it. */
function groupLines(texts: readonly (readonly [id: string, text: string])[]): string[] {
  return [...Map.groupBy(texts, ([, text]) => text)].map(([text, found]) =>
    `  ${found.map(([id]) => id).join(", ")}: ${text}`
  );
}

/**
 * Formats what an update found, a line for each turbine or for all that have the same.
 *
 * @returns Nothing where nothing is
 */
export function formatNews({ turbines, gone, notes }: News): string[] {
  const lines = [...turbines].map(([id, news]) => [id, formatTurbine(news)] as const)
    .filter(([, text]) => text !== "");
  const doubts = [...turbines].flatMap(([id, news]) =>
    news.doubts.map((doubt) => [id, doubt] as const)
  );
  const findings = [...doubts, ...notes];
  return [
    ...lines.length === 0 ? [] : [
      "New since the last update (100 % is a normal month of the same name):",
      ...groupLines(lines),
    ],
    ...findings.length === 0 ? [] : ["To be looked at by a person:", ...groupLines(findings)],
    ...gone.length === 0 ? [] : [
      `No longer in a site file, and deleted with all months: ${gone.join(", ")}. Put them back ` +
      "into it, or do nothing if that is right",
    ],
  ];
}
