import { figures } from "../../api/columns/month_columns.ts";
import { formatCount, formatNumber, listNames } from "../../show/text/numbers.ts";
import { formatMonthLabel, monthNumberOf } from "../../time/zones.ts";
import { hasSameEnergy } from "./revise_months.ts";
import type { ProductionSummary, StoredMonth } from "./site_record.ts";

/**
 * Why a month is new or has changed, in words. Preliminary climate is ERA5T until ERA5 replaces it. A month may be
 * replaced in two steps, because its first or last local hours belong to another month in UTC.
 */
const monthCauses = {
  new_month: "no index before",
  recalibrated: "calibrated again",
  final_climate: "preliminary climate replaced",
  replaced_climate: "other climate data",
  data_gone: "data are gone",
} as const;

/** A month whose index is new or has changed. */
export interface MonthNews {
  /** Month, as "2026-10". */
  readonly month: string;
  /** It had no index; its energy has changed; or its preliminary climate became final with the same energy. */
  readonly change: "new" | "revised" | "final";
  readonly cause: keyof typeof monthCauses;
  /** Its abnormality index before, %; `null` without one. */
  readonly before: number | null;
  /** Its abnormality index now, %; `null` if its data are gone. */
  readonly after: number | null;
  readonly status: StoredMonth["status"];
}

/** News of the months of a turbine. */
export interface MonthsNews {
  /** The months, in order of time. */
  readonly months: readonly MonthNews[];
  /** Number of other months whose status, or whose figure of twelve months, a quarter or a year, has changed. */
  readonly other_months: number;
}

/** News of the figures of a turbine, for the output and the file of `update` and for the feed. */
export interface TurbineNews extends MonthsNews {
  /** Changes by another engine, in words; `null` if none calibrated the turbine again. */
  readonly engine_change: string | null;
  /** Its production, if that has changed. */
  readonly production: ProductionSummary | null;
}

function findCause(old: StoredMonth | undefined, month: StoredMonth): MonthNews["cause"] {
  if ((old?.month_index ?? null) === null) return "new_month";
  if (month.month_index === null) return "data_gone";
  if (old!.calibration !== month.calibration) return "recalibrated";
  return old!.status === "preliminary" ? "final_climate" : "replaced_climate";
}

/** Compares the latest revision of each month of a turbine with an earlier one. */
export function compareMonths(
  before: readonly StoredMonth[],
  after: readonly StoredMonth[],
): MonthsNews {
  const known = new Map(before.map((month) => [monthNumberOf(month), month]));
  const months: MonthNews[] = [];
  let other_months = 0;
  for (const month of after) {
    const old = known.get(monthNumberOf(month));
    if (month.revision === (old?.revision ?? 0)) continue;
    const change = (old?.month_index ?? null) === null && month.month_index !== null
      ? "new"
      : old && !hasSameEnergy(old, month)
      ? "revised"
      : old?.status === "preliminary" && month.status === "final"
      ? "final"
      : undefined;
    if (change) {
      months.push({
        month: formatMonthLabel(month),
        change,
        cause: findCause(old, month),
        before: old?.month_abnormality_index ?? null,
        after: month.month_abnormality_index,
        status: month.status,
      });
    } else if (old && figures.some(({ name }) => old[name] !== null)) other_months++;
  }
  return { months, other_months };
}

export function hasNews(
  { months, other_months, production }: Omit<TurbineNews, "engine_change">,
): boolean {
  return months.length + other_months > 0 || production !== null;
}

/** Lists why figures of turbines are new, as categories of the feed and of the file of an update. */
export function listCauses(news: readonly TurbineNews[]): string[] {
  return [
    ...new Set(news.flatMap(({ months, production }) => [
      ...months.map(({ cause }) => cause),
      ...production ? ["new_production"] : [],
    ])),
  ];
}

/** Largest change of a monthly index, percentage points; `null` if no month has one before and after. */
export function findLargestChange(months: readonly MonthNews[]): number | null {
  const changes = months.filter(({ before, after }) => before !== null && after !== null)
    .map(({ before, after }) => Math.abs(after! - before!));
  return changes.length === 0 ? null : Math.max(...changes);
}

/** Most months named; more are counted. */
const MAX_NAMED = 6;

const formatIndex = (value: number | null) => value === null ? "no index" : `${value.toFixed(1)} %`;

/** Formats a change of the index, percentage points. */
export function formatChange(change: number): string {
  return `${change < 0.05 ? "less than 0.1" : change.toFixed(1)} percentage points`;
}

function formatAdded({ month, after, status }: MonthNews): string {
  return `${month} with ${formatIndex(after)}${status === "preliminary" ? " (preliminary)" : ""}`;
}

function formatRevised({ month, before, after }: MonthNews): string {
  const [old, now] = [before, after].map(formatIndex);
  return old === now ? `${month} by less than 0.1 %` : `${month} from ${old} to ${now}`;
}

function formatMonths(
  verb: string,
  months: readonly MonthNews[],
  format: (one: MonthNews) => string,
): string[] {
  if (months.length === 0) return [];
  if (months.length <= MAX_NAMED) return [`${verb} ${months.map(format).join(", ")}`];
  const change = verb === "revised" ? findLargestChange(months) : null;
  return [
    `${verb} ${months.length} months of ${months[0].month} to ${months.at(-1)!.month}` +
    (change === null ? "" : ` by at most ${formatChange(change)}`),
  ];
}

function describeHours({ from, to, validHours }: ProductionSummary): string {
  return `production ${from} to ${to}, ${formatNumber(validHours)} h valid`;
}

/** Formats the news of a turbine in one line. */
export function formatTurbineNews(news: TurbineNews): string {
  const { months, other_months, engine_change, production } = news;
  const changed = (wanted: MonthNews["change"]) => months.filter(({ change }) => change === wanted);
  return [
    ...formatMonths("new", changed("new"), formatAdded),
    ...[...Map.groupBy(changed("revised"), ({ cause }) => cause)].flatMap(([cause, group]) =>
      formatMonths("revised", group, formatRevised).map((text) => `${text} (${monthCauses[cause]})`)
    ),
    ...formatMonths("final", changed("final"), formatAdded),
    ...other_months === 0 ? [] : [
      `${formatCount(other_months, "other month")} with a new status, or a new figure of ` +
      "twelve months, a quarter or a year",
    ],
    ...production ? [describeHours(production)] : [],
    ...engine_change ? [engine_change] : [],
  ].join("; ");
}

/** Formats each text once, after the turbines that have it. */
export function groupLines(texts: readonly (readonly [id: string, text: string])[]): string[] {
  return [...Map.groupBy(texts, ([, text]) => text)].map(([text, group]) =>
    `${listNames(group.map(([id]) => id))}: ${text}`
  );
}
