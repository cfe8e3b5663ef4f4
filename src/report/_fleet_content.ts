import { pickColumns } from "../api/column.ts";
import { figures } from "../api/columns.ts";
import { shortText } from "../show/short_text.ts";
import { figuresOf, type FleetFigures, fleetMonths } from "./_fleet_figures.ts";
import { messages } from "./_messages.ts";
import type { ReportOrigin } from "./_sources.ts";
import {
  isPreliminary,
  type MonthContent,
  nameOf,
  ownMonth,
  type TurbineContent,
  unitsOf,
} from "./_turbine_content.ts";
import type { TurbineWithoutData } from "./turbine_report.ts";

export type { FleetFigures, FleetMonth } from "./_fleet_figures.ts";

const [abnormality] = pickColumns(figures, ["month_abnormality_index"]);

/** Months of a strip. */
const STRIP_MONTHS = 12;

/** Turbines up to which a table needs no groups. */
const UNGROUPED = 20;

/** What the fleet page keeps of a turbine. */
export interface Member {
  readonly id: string;
  /** Name as it is shown. */
  readonly name: string;
  /** Name of its files, without extension; `undefined` for one without a page. */
  readonly file: string | undefined;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Turbines that the entry stands for. */
  readonly units: number;
  /** The month of the report. */
  readonly own: MonthContent | undefined;
  /** Months that end with the report's own; none where nothing is known. */
  readonly months: readonly MonthContent[];
  /** Month abnormality index of the last twelve months. */
  readonly strip: readonly {
    readonly month: string;
    readonly value: number | null;
    readonly status: string | null;
  }[];
  /** Why there are no figures for the month. */
  readonly reason: string | undefined;
}

/** Turbines that share a name but for the number at its end. */
export interface Group {
  /** Name of the park; `undefined` for what stands alone. */
  readonly name: string | undefined;
  readonly members: readonly Member[];
  readonly figures: FleetFigures;
}

/** When and from where the figures of all turbines came. */
export interface FleetSource {
  readonly first: string;
  readonly last: string;
}

/** Everything that the page of a fleet says, as plain data. */
export interface FleetContent {
  readonly title: string;
  readonly fleet: string | undefined;
  readonly month: string;
  /** All turbines, in the order of the table. */
  readonly members: readonly Member[];
  /** Parks; none where the table needs none. */
  readonly groups: readonly Group[];
  readonly figures: FleetFigures;
  /** Turbines that its entries stand for. */
  readonly units: number;
  /** The fleet in the months up to the report's own. */
  readonly months: ReturnType<typeof fleetMonths>;
  /** What the month was like, a sentence each. */
  readonly summary: readonly string[];
  /** When the figures were fetched; `undefined` where none says so. */
  readonly source: FleetSource | undefined;
  readonly origin: ReportOrigin;
}

/** What the fleet page keeps of a turbine with a page of its own. */
export function memberOf(content: TurbineContent): Member {
  const { id, name, file, details, units, months } = content;
  const own = ownMonth(content);
  return {
    id,
    name,
    file,
    latitude: details.latitude,
    longitude: details.longitude,
    units,
    own,
    months,
    strip: months.slice(-STRIP_MONTHS).map(({ month, figures: values, status }) => ({
      month,
      value: values[abnormality.name],
      status,
    })),
    reason: own.figures[abnormality.name] === null ? messages.fleet.noReason : undefined,
  };
}

/** What the fleet page keeps of a turbine without data. */
export function memberWithout({ turbineId, details, reason }: TurbineWithoutData): Member {
  return {
    id: turbineId,
    name: details ? nameOf(details) : shortText(turbineId, 80),
    file: undefined,
    latitude: details?.latitude ?? null,
    longitude: details?.longitude ?? null,
    units: details ? unitsOf(details) : 1,
    own: undefined,
    months: [],
    strip: [],
    reason: shortText(reason, 300),
  };
}

const natural = new Intl.Collator("en", { numeric: true });

/** Name without the number at its end. */
function parkOf({ name }: Member): string {
  return /^(.*?[^\s\d_.#-])[\s_.#-]*\d+$/u.exec(name)?.[1] ?? name;
}

function groupsOf(members: readonly Member[], month: string): Group[] {
  if (members.length <= UNGROUPED) return [];
  const parks = Map.groupBy(members, parkOf);
  const named = [...parks].filter(([, own]) => own.length > 1);
  if (named.length === 0) return [];
  const alone = [...parks.values()].filter((own) => own.length === 1).flat();
  const all: [string | undefined, readonly Member[]][] = [
    ...named.sort(([a], [b]) => natural.compare(a, b)),
    ...(alone.length > 0 ? [[undefined, alone] as [undefined, readonly Member[]]] : []),
  ];
  return all.map(([name, own]) => ({ name, members: own, figures: figuresOf(own, month) }));
}

/** The turbine with the highest and the one with the lowest value. */
function extremes<T>(all: readonly T[], value: (one: T) => number | null): [T, T] | undefined {
  const known = all.filter((one) => value(one) !== null)
    .sort((a, b) => value(b)! - value(a)!);
  return known.length < 2 ? undefined : [known[0], known[known.length - 1]];
}

function summaryOf(members: readonly Member[], month: string, all: FleetFigures): string[] {
  const { fleet } = messages;
  const said: string[] = [];
  if (all.energy === null) said.push(fleet.none(month));
  else said.push(fleet.wind(month, all.units, all.energy, all.low, all.high));
  if (all.abnormality !== null) said.push(fleet.normal(month, all.abnormality));
  if (all.last12 !== null) said.push(fleet.year(month, all.last12));
  const wind = (one: Member) => one.own?.figures[abnormality.name] ?? null;
  const best = extremes(members, wind);
  if (best) {
    said.push(fleet.extremes(best[0].name, wind(best[0])!, best[1].name, wind(best[1])!));
  }
  if (all.produced !== null && all.predicted) {
    said.push(fleet.produced(all.compared, all.produced, all.predicted));
    const ratio = (one: Member) => one.own?.compared?.ratio ?? null;
    const made = extremes(members, ratio);
    if (made) {
      said.push(fleet.deviations(made[0].name, ratio(made[0])!, made[1].name, ratio(made[1])!));
    }
  } else if (members.some((one) => one.months.some(({ compared }) => compared !== null))) {
    said.push(fleet.nothingCompared(month));
  } else said.push(fleet.noProduction);
  const preliminary = members.filter(({ own }) => own && isPreliminary(own));
  if (preliminary.length > 0) said.push(fleet.preliminary(preliminary.length));
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length > 0) said.push(fleet.without(without.map(({ name }) => name)));
  const parks = members.filter(({ units, own }) => units > 1 && own);
  if (parks.length > 0) {
    said.push(fleet.units(parks));
  }
  return said;
}

/** Reads what the page of a fleet says. */
export function fleetContent(
  members: readonly Member[],
  { title, fleet, month, source, origin }: Pick<
    FleetContent,
    "title" | "fleet" | "month" | "source" | "origin"
  >,
): FleetContent {
  const sorted = [...members].sort((a, b) =>
    natural.compare(a.name, b.name) || natural.compare(a.id, b.id)
  );
  const groups = groupsOf(sorted, month);
  const all = figuresOf(sorted, month);
  return {
    title,
    fleet,
    month,
    members: groups.length > 0 ? groups.flatMap((group) => group.members) : sorted,
    groups,
    figures: all,
    units: sorted.reduce((sum, { units }) => sum + units, 0),
    months: fleetMonths(sorted),
    summary: summaryOf(sorted, month, all),
    source,
    origin,
  };
}
