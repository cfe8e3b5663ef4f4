import { figures } from "../../api/columns/month_columns.ts";
import {
  hasSameEnergy,
  type SiteStore,
  type StoredMonth,
  type StoredTurbine,
} from "../../storage/mod.ts";
import { formatMonthLabel, monthNumberOf } from "../../time/zones.ts";
import { describeProduction, type ReportedTurbine } from "./reported.ts";

/** A month whose index is new or another one. */
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
  /** Months whose own energy is another one. */
  readonly revised: readonly MonthNews[];
  /** Number of others with another status or another figure of twelve months, a quarter or a year. */
  readonly trailing: number;
  /** Its production, where that is another one. */
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
  sites: SiteStore,
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
