import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { shortenText } from "../../show/text/short_text.ts";
import { type FleetFigures, unitsIn } from "./fleet_figures.ts";
import type { Member } from "./fleet_member.ts";
import { messages } from "./messages.ts";
import { isPreliminary, partCompared } from "./turbine_content.ts";

const [abnormality, last12, quarter, year] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
]);

/** The turbine with the highest and the one with the lowest value; none where they are written the same. */
function extremes<T>(all: readonly T[], value: (one: T) => number | null): [T, T] | undefined {
  const known = all.filter((one) => value(one) !== null)
    .sort((a, b) => value(b)! - value(a)!);
  const [highest, lowest] = [known[0], known[known.length - 1]];
  return known.length < 2 || messages.figure(value(highest)!) === messages.figure(value(lowest)!)
    ? undefined
    : [highest, lowest];
}

/** What the month was like for a fleet, a sentence each. */
export function summaryOf(members: readonly Member[], month: string, all: FleetFigures): string[] {
  const { fleet } = messages;
  const said: string[] = [];
  if (all.energy === null) said.push(fleet.none(month));
  else said.push(fleet.wind(month, all.units, all.energy, all.low, all.high));
  if (all.abnormality !== null) said.push(fleet.normal(month, all.abnormality));
  if (all.last12 !== null) said.push(fleet.year(month, all.last12));
  const fewer = [
    { what: messages.label(last12), value: all.last12, units: all.unitsWith.last12 },
    { what: messages.label(quarter), value: all.quarter, units: all.unitsWith.quarter },
    { what: messages.label(year), value: all.year, units: all.unitsWith.year },
  ].filter(({ value, units }) => value !== null && units < all.units);
  if (fewer.length > 0) said.push(fleet.fewer(fewer));
  const wind = (one: Member) => one.own?.figures[abnormality.name] ?? null;
  const namesakes = new Set(
    members.map(({ name }) => name).filter((name, i, names) => names.indexOf(name) < i),
  );
  const called = ({ id, name }: Member) =>
    namesakes.has(name) ? messages.namesake(name, shortenText(id, 80)) : name;
  const best = extremes(members, wind);
  if (best) {
    said.push(fleet.extremes(called(best[0]), wind(best[0])!, called(best[1]), wind(best[1])!));
  }
  if (all.produced !== null && all.predicted) {
    said.push(fleet.produced(all.comparedUnits, all.produced, all.predicted));
    const ratio = ({ own }: Member) =>
      own?.compared && partCompared(own.compared) === null ? own.compared.ratio : null;
    const made = extremes(members, ratio);
    if (made) {
      said.push(
        fleet.deviations(called(made[0]), ratio(made[0])!, called(made[1]), ratio(made[1])!),
      );
    }
  } else if (members.some(({ hasProduction }) => hasProduction)) {
    said.push(fleet.nothingCompared(month));
  } else said.push(fleet.noProduction);
  const preliminary = members.filter(({ own }) => own && isPreliminary(own));
  if (preliminary.length > 0) said.push(fleet.preliminary(unitsIn(preliminary)));
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length > 0) said.push(fleet.without(without.map(called)));
  const parks = members.filter(({ units, own }) => units > 1 && own);
  if (parks.length > 0) {
    said.push(fleet.units(parks.map((one) => ({ name: called(one), units: one.units }))));
  }
  return said;
}
