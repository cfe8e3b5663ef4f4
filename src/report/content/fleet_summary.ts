import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import { countUnits, type FleetFigures } from "./fleet_figures.ts";
import type { FleetMember } from "./fleet_member.ts";
import { messages } from "./messages.ts";
import { warnOfShortReference } from "./model_basis.ts";
import { isPreliminary, partialShareOf } from "./turbine_content.ts";

const [abnormality, last12, quarter, year] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
]);

/** The turbine with the highest and the one with the lowest value; `undefined` where both are written the same. */
function findExtremes<T>(all: readonly T[], value: (one: T) => number | null): [T, T] | undefined {
  const known = all.filter((one) => value(one) !== null)
    .sort((a, b) => value(b)! - value(a)!);
  const [highest, lowest] = [known[0], known[known.length - 1]];
  return known.length < 2 || messages.figure(value(highest)!) === messages.figure(value(lowest)!)
    ? undefined
    : [highest, lowest];
}

/** Builds the sentences about the month of a fleet. */
export function buildFleetSummary(
  members: readonly FleetMember[],
  month: string,
  all: FleetFigures,
): string[] {
  const { fleet } = messages;
  const sentences: string[] = [];
  const units = countUnits(members);
  if (all.energy === null) sentences.push(fleet.none(month));
  else sentences.push(fleet.wind(month, all.units, units, all.energy, all.low, all.high));
  if (all.abnormality !== null) sentences.push(fleet.normal(month, all.abnormality));
  if (all.last12 !== null) sentences.push(fleet.year(month, all.last12));
  const fewer = [
    { what: messages.label(last12), value: all.last12, units: all.unitsWith.last12 },
    { what: messages.label(quarter), value: all.quarter, units: all.unitsWith.quarter },
    { what: messages.label(year), value: all.year, units: all.unitsWith.year },
  ].filter(({ value, units }) => value !== null && units < all.units);
  if (fewer.length > 0) sentences.push(fleet.fewer(fewer));
  const wind = (one: FleetMember) => one.own?.figures[abnormality.name] ?? null;
  const namesakes = new Set(
    members.map(({ name }) => name).filter((name, i, names) => names.indexOf(name) < i),
  );
  const nameMember = ({ id, name }: FleetMember) =>
    namesakes.has(name) ? messages.namesake(name, shortenText(id, 80)) : name;
  const best = findExtremes(members, wind);
  if (best) {
    sentences.push(
      fleet.extremes(
        month,
        nameMember(best[0]),
        wind(best[0])!,
        nameMember(best[1]),
        wind(best[1])!,
      ),
    );
  }
  if (all.produced !== null && all.predicted) {
    sentences.push(fleet.produced(all.comparedUnits, all.produced, all.predicted));
    const ratio = ({ own }: FleetMember) =>
      own?.compared && partialShareOf(own.compared) === null ? own.compared.ratio : null;
    const produced = findExtremes(members, ratio);
    if (produced) {
      sentences.push(
        fleet.deviations(
          nameMember(produced[0]),
          ratio(produced[0])!,
          nameMember(produced[1]),
          ratio(produced[1])!,
        ),
      );
    }
  } else if (members.some(({ hasProduction }) => hasProduction)) {
    sentences.push(fleet.nothingCompared(month));
  } else sentences.push(fleet.noProduction);
  const preliminary = members.filter(({ own }) => own && isPreliminary(own));
  if (preliminary.length > 0) sentences.push(fleet.preliminary(countUnits(preliminary)));
  const references = members.map(({ reference }) => reference);
  const spans = new Set(references.flatMap((years) => years ? [years.join()] : []));
  if (spans.size > 1) sentences.push(messages.reference.several);
  sentences.push(...warnOfShortReference(references));
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length > 0) sentences.push(fleet.without(without.map(nameMember)));
  return sentences;
}
