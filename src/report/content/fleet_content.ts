import {
  computeFleetFigures,
  computeFleetMonths,
  countUnits,
  type FleetFigures,
} from "./fleet_figures.ts";
import type { FleetMember } from "./fleet_member.ts";
import type { ReferenceYears } from "./model_basis.ts";
import { buildFleetSummary } from "./fleet_summary.ts";
import type { ReportOrigin } from "./sources.ts";

/** Turbines up to which a table needs no groups. */
const UNGROUPED = 20;

/** Turbines that share a name but for the number at its end. */
export interface ParkGroup {
  /** Name of the park; `undefined` for turbines of no park. */
  readonly name: string | undefined;
  readonly members: readonly FleetMember[];
  /** Number of turbines in its entries. */
  readonly units: number;
  readonly figures: FleetFigures;
}

/** When and from where the figures of all turbines came. */
export interface FleetSource {
  readonly first: string;
  readonly last: string;
}

/** The content of the page of a fleet, as plain data. */
export interface FleetContent {
  readonly title: string;
  readonly fleet: string | undefined;
  readonly month: string;
  /** All turbines, in the order of the table. */
  readonly members: readonly FleetMember[];
  /** Parks; empty where the table needs no groups. */
  readonly groups: readonly ParkGroup[];
  readonly figures: FleetFigures;
  /** Number of turbines in its entries. */
  readonly units: number;
  /** The fleet in the months up to the report's own. */
  readonly months: ReturnType<typeof computeFleetMonths>;
  /** Sentences about the month. */
  readonly summary: readonly string[];
  /** The years whose mean is 100 %, where they are the same for all turbines that name them; else `undefined`. */
  readonly reference: ReferenceYears | undefined;
  /** When the figures were fetched; `undefined` where no frame has the time. */
  readonly source: FleetSource | undefined;
  readonly origin: ReportOrigin;
}

const natural = new Intl.Collator("en", { numeric: true });

/** Name without the number at its end. */
function findPark({ name }: FleetMember): string {
  return /^(.*?[^\s\d_.#-])[\s_.#-]*\d+$/u.exec(name)?.[1] ?? name;
}

function groupByPark(members: readonly FleetMember[], month: string): ParkGroup[] {
  if (members.length <= UNGROUPED) return [];
  const parks = Map.groupBy(members, findPark);
  const named = [...parks].filter(([, own]) => own.length > 1);
  if (named.length === 0) return [];
  const alone = [...parks.values()].filter((own) => own.length === 1).flat();
  const all: [string | undefined, readonly FleetMember[]][] = [
    ...named.sort(([a], [b]) => natural.compare(a, b)),
    ...(alone.length > 0 ? [[undefined, alone] as [undefined, readonly FleetMember[]]] : []),
  ];
  return all.map(([name, own]) => ({
    name,
    members: own,
    units: countUnits(own),
    figures: computeFleetFigures(own, month),
  }));
}

/** Builds the content of the page of a fleet. */
export function buildFleetContent(
  members: readonly FleetMember[],
  { title, fleet, month, source, origin }: Pick<
    FleetContent,
    "title" | "fleet" | "month" | "source" | "origin"
  >,
): FleetContent {
  const sorted = [...members].sort((a, b) =>
    natural.compare(a.name, b.name) || natural.compare(a.id, b.id)
  );
  const groups = groupByPark(sorted, month);
  const all = computeFleetFigures(sorted, month);
  const periods = new Map(
    sorted.flatMap(({ reference }) => reference ? [[reference.join(), reference]] : []),
  );
  return {
    title,
    fleet,
    month,
    members: groups.length > 0 ? groups.flatMap((group) => group.members) : sorted,
    groups,
    figures: all,
    units: countUnits(sorted),
    months: computeFleetMonths(sorted),
    summary: buildFleetSummary(sorted, month, all),
    reference: periods.size === 1 ? [...periods.values()][0] : undefined,
    source,
    origin,
  };
}
