import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { compareVerdicts, needsLook } from "../../analysis/verdict/verdict.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import {
  computeFleetFigures,
  computeFleetMonths,
  countUnits,
  type FleetFigures,
} from "./fleet_figures.ts";
import { type FleetMember, takeShares } from "./fleet_member.ts";
import { messages } from "./messages.ts";
import { type ReferenceYears, warnOfShortReference } from "./turbine_report.ts";
import type { ReportOrigin } from "./sources.ts";
import { isPreliminary, isUncalibrated } from "./turbine_content.ts";
import { explainUseless } from "../../analysis/verdict/words.ts";

/** Indices of periods longer than a month. */
const longer = pickColumns(figures, [
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
]);

/** Builds the sentences about the month of a fleet. */
function buildFleetSummary(
  members: readonly FleetMember[],
  month: string,
  all: FleetFigures,
): string[] {
  const namesakes = new Set(
    members.map(({ name }) => name).filter((name, i, names) => names.indexOf(name) < i),
  );
  const nameMember = ({ id, name }: FleetMember) =>
    namesakes.has(name) ? messages.namesake(name, shortenText(id, 80)) : name;
  const { fleet } = messages;
  const sentences: string[] = all.verdict?.produced == null ? [] : [all.verdict.text];
  const units = countUnits(members);
  sentences.push(
    all.predicted_production === null ? fleet.none(month) : fleet.wind(month, units, all),
  );
  if (all.verdict && all.verdict.produced === null) {
    const withProduction = members.filter(({ hasProduction }) => hasProduction);
    const reasons = new Set(withProduction.map(({ reportMonth }) => reportMonth?.verdict?.reason));
    const [same] = reasons.size === 1 && all.units_measured === 0 ? reasons : [];
    sentences.push(
      withProduction.length > 0
        ? messages.because(messages.cannotTell, `${same ?? all.verdict.reason}.`)
        : fleet.noProduction,
    );
  }
  const toCheck = members.filter(({ reportMonth }) =>
    reportMonth?.verdict && needsLook(reportMonth.verdict)
  );
  for (const one of toCheck.sort(compareMembers).slice(0, MAX_TO_CHECK)) {
    sentences.push(messages.because(nameMember(one), one.reportMonth!.verdict!.text));
  }
  const { month_abnormality_index: abnormality, last12_month_index: last12 } = all;
  if (abnormality !== null) sentences.push(fleet.normal(month, abnormality));
  if (last12 !== null) sentences.push(fleet.year(month, last12));
  const fewer = longer.filter(({ name }) => all[name] !== null && all.units_with[name] < all.units)
    .map(({ name, label }) => ({ what: label, units: all.units_with[name] }));
  if (fewer.length > 0) sentences.push(fleet.fewer(fewer));
  // The turbines with the most and the least wind, unless both round to the same text.
  const windy = members.flatMap((one) => {
    const wind = one.reportMonth?.month_abnormality_index ?? null;
    return wind === null ? [] : [{ name: nameMember(one), wind }];
  }).sort((a, b) => b.wind - a.wind);
  const [best, worst] = [windy[0], windy[windy.length - 1]];
  if (windy.length > 1 && messages.figure(best.wind) !== messages.figure(worst.wind)) {
    sentences.push(fleet.extremes(month, best.name, best.wind, worst.name, worst.wind));
  }
  const preliminary = members.filter(({ reportMonth }) =>
    reportMonth && isPreliminary(reportMonth)
  );
  if (preliminary.length > 0) sentences.push(fleet.preliminary(countUnits(preliminary)));
  const withFigures = members.filter(({ reason }) => !reason);
  const placed = withFigures.filter(({ details }) => details && isUncalibrated(details));
  if (placed.length > 0) sentences.push(fleet.uncalibrated(countUnits(placed)));
  const useless = withFigures.filter(({ details }) => details && explainUseless(details) !== null);
  if (useless.length > 0) sentences.push(fleet.useless(countUnits(useless)));
  const references = members.map(({ reference }) => reference);
  const spans = new Set(references.flatMap((years) => years ? [years.join()] : []));
  if (spans.size > 1) sentences.push(messages.reference.several);
  sentences.push(...warnOfShortReference(references));
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length > 0) sentences.push(fleet.without(without.map(nameMember)));
  return sentences;
}

/** Orders turbines by own loss, the largest first. */
export function compareMembers(
  { reportMonth: a }: FleetMember,
  { reportMonth: b }: FleetMember,
): number {
  return a?.verdict && b?.verdict ? compareVerdicts(a.verdict, b.verdict) : a?.verdict ? -1 : 1;
}

/** Most turbines that the summary recommends to look at. */
const MAX_TO_CHECK = 5;

/** Most turbines that a table shows without groups. */
const UNGROUPED = 20;

/** Turbines whose names differ only in the number at the end. */
interface ParkGroup {
  /** Name of the park; `undefined` for turbines of no park. */
  readonly name: string | undefined;
  readonly members: readonly FleetMember[];
  /** Number of turbines in its entries. */
  readonly units: number;
  readonly figures: FleetFigures;
}

/** Fetch time and source of the figures of all turbines. */
interface FleetSource {
  readonly first: string;
  readonly last: string;
}

/** Content of a fleet's page, as plain data. */
export interface FleetContent {
  readonly title: string;
  readonly fleet: string | undefined;
  readonly month: string;
  /** All turbines, in the order of the table. */
  readonly members: readonly FleetMember[];
  /** Parks; empty if the table needs no groups. */
  readonly groups: readonly ParkGroup[];
  readonly figures: FleetFigures;
  /** Number of turbines in its entries. */
  readonly units: number;
  /** The fleet by month, up to the month of the report. */
  readonly months: ReturnType<typeof computeFleetMonths>;
  /** Sentences about the month. */
  readonly summary: readonly string[];
  /** The years whose mean is 100 %, if they are the same for all turbines that name them; else `undefined`. */
  readonly reference: ReferenceYears | undefined;
  /** When the figures were fetched; `undefined` if no frame has a time. */
  readonly source: FleetSource | undefined;
  readonly origin: ReportOrigin;
  /** The owner whose share is shown, with the same content for that share. */
  readonly share: { readonly owner: string; readonly content: FleetContent } | undefined;
}

const natural = new Intl.Collator("en", { numeric: true });

/** Name without the number at its end. */
function findPark({ name }: FleetMember): string {
  return /^(.*?[^\s\d_.#-])[\s_.#-]*\d+$/u.exec(name)?.[1] ?? name;
}

function groupByPark(members: readonly FleetMember[], month: string): ParkGroup[] {
  if (members.length <= UNGROUPED) return [];
  const parks = Map.groupBy(members, findPark);
  const named = [...parks].filter(([, group]) => group.length > 1);
  if (named.length === 0) return [];
  const alone = [...parks.values()].filter((group) => group.length === 1).flat();
  const all: [string | undefined, readonly FleetMember[]][] = [
    ...named.sort(([a], [b]) => natural.compare(a, b)),
    ...(alone.length > 0 ? [[undefined, alone] as [undefined, readonly FleetMember[]]] : []),
  ];
  return all.map(([name, group]) => ({
    name,
    members: group,
    units: countUnits(group),
    figures: computeFleetFigures(group, month),
  }));
}

/** Builds the content of a fleet's page. */
export function buildFleetContent(
  members: readonly FleetMember[],
  about: Pick<FleetContent, "title" | "fleet" | "month" | "source" | "origin">,
  owner?: string,
): FleetContent {
  const { month } = about;
  const sorted = [...members].sort((a, b) =>
    natural.compare(a.name, b.name) || natural.compare(a.id, b.id)
  );
  const groups = groupByPark(sorted, month);
  const all = computeFleetFigures(sorted, month);
  const periods = new Map(
    sorted.flatMap(({ reference }) => reference ? [[reference.join(), reference]] : []),
  );
  return {
    ...about,
    members: groups.length > 0 ? groups.flatMap((group) => group.members) : sorted,
    groups,
    figures: all,
    units: countUnits(sorted),
    months: computeFleetMonths(sorted),
    summary: buildFleetSummary(sorted, month, all),
    reference: periods.size === 1 ? [...periods.values()][0] : undefined,
    share: owner === undefined
      ? undefined
      : { owner, content: buildFleetContent(takeShares(sorted), about) },
  };
}
