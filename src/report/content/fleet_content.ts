import { figuresOf, type FleetFigures, fleetMonths, unitsIn } from "./fleet_figures.ts";
import type { Member } from "./fleet_member.ts";
import { summaryOf } from "./fleet_summary.ts";
import type { ReportOrigin } from "./sources.ts";

/** Turbines up to which a table needs no groups. */
const UNGROUPED = 20;

/** Turbines that share a name but for the number at its end. */
export interface Group {
  /** Name of the park; `undefined` for what stands alone. */
  readonly name: string | undefined;
  readonly members: readonly Member[];
  /** Turbines that its entries stand for. */
  readonly units: number;
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
  return all.map(([name, own]) => ({
    name,
    members: own,
    units: unitsIn(own),
    figures: figuresOf(own, month),
  }));
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
    units: unitsIn(sorted),
    months: fleetMonths(sorted),
    summary: summaryOf(sorted, month, all),
    source,
    origin,
  };
}
