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

/** Indices of times longer than a month. */
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
    const given = members.filter(({ hasProduction }) => hasProduction);
    const reasons = new Set(given.map(({ own }) => own?.verdict?.reason));
    const [same] = reasons.size === 1 && all.units_measured === 0 ? reasons : [];
    sentences.push(
      given.length > 0
        ? messages.because(messages.cannotTell, `${same ?? all.verdict.reason}.`)
        : fleet.noProduction,
    );
  }
  const looks = members.filter(({ own }) => own?.verdict && needsLook(own.verdict));
  for (const one of looks.sort(compareMembers).slice(0, MAX_LOOKS)) {
    sentences.push(messages.because(nameMember(one), one.own!.verdict!.text));
  }
  const { month_abnormality_index: abnormality, last12_month_index: last12 } = all;
  if (abnormality !== null) sentences.push(fleet.normal(month, abnormality));
  if (last12 !== null) sentences.push(fleet.year(month, last12));
  const fewer = longer.filter(({ name }) => all[name] !== null && all.units_with[name] < all.units)
    .map(({ name, label }) => ({ what: label, units: all.units_with[name] }));
  if (fewer.length > 0) sentences.push(fleet.fewer(fewer));
  // The turbines with the most and the least wind, where these are not written the same.
  const windy = members.flatMap((one) => {
    const wind = one.own?.month_abnormality_index ?? null;
    return wind === null ? [] : [{ name: nameMember(one), wind }];
  }).sort((a, b) => b.wind - a.wind);
  const [best, worst] = [windy[0], windy[windy.length - 1]];
  if (windy.length > 1 && messages.figure(best.wind) !== messages.figure(worst.wind)) {
    sentences.push(fleet.extremes(month, best.name, best.wind, worst.name, worst.wind));
  }
  const preliminary = members.filter(({ own }) => own && isPreliminary(own));
  if (preliminary.length > 0) sentences.push(fleet.preliminary(countUnits(preliminary)));
  const shown = members.filter(({ reason }) => !reason);
  const placed = shown.filter(({ details }) => details && isUncalibrated(details));
  if (placed.length > 0) sentences.push(fleet.uncalibrated(countUnits(placed)));
  const useless = shown.filter(({ details }) => details && explainUseless(details) !== null);
  if (useless.length > 0) sentences.push(fleet.useless(countUnits(useless)));
  const references = members.map(({ reference }) => reference);
  const spans = new Set(references.flatMap((years) => years ? [years.join()] : []));
  if (spans.size > 1) sentences.push(messages.reference.several);
  sentences.push(...warnOfShortReference(references));
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length > 0) sentences.push(fleet.without(without.map(nameMember)));
  return sentences;
}

/** Orders turbines: the one that lost the most by itself first. */
export function compareMembers({ own: a }: FleetMember, { own: b }: FleetMember): number {
  return a?.verdict && b?.verdict ? compareVerdicts(a.verdict, b.verdict) : a?.verdict ? -1 : 1;
}

/** Turbines that the sentences name since somebody should look at them. */
const MAX_LOOKS = 5;

/** Turbines up to which a table needs no groups. */
const UNGROUPED = 20;

/** Turbines that share a name but for the number at its end. */
interface ParkGroup {
  /** Name of the park; `undefined` for turbines of no park. */
  readonly name: string | undefined;
  readonly members: readonly FleetMember[];
  /** Number of turbines in its entries. */
  readonly units: number;
  readonly figures: FleetFigures;
}

/** When and from where the figures of all turbines came. */
interface FleetSource {
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
  /** The owner whose share is shown, and the same content of it. */
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
