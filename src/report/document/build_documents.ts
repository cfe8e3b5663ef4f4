import type { Answer } from "../../analysis/series/answer.ts";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { partsOf } from "../../show/parts.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import { countUnits } from "../content/fleet_figures.ts";
import { messages } from "../content/messages.ts";
import { formatMonth } from "../../show/text/numbers.ts";
import { formatSource, formatStamp } from "../content/sources.ts";
import {
  listOwnMonths,
  type MonthContent,
  reportMonthOf,
  shownFigures,
  type TurbineContent,
} from "../content/turbine_content.ts";
import {
  drawTwice,
  plotComparison,
  plotFleetMonths,
  plotIndices,
  plotMembersMap,
  plotMonthSteps,
  plotSmallCharts,
  plotSteps,
  plotVerdicts,
} from "./charts.ts";
import type { Block, Picture, ReportDocument, Section } from "./document.ts";
import {
  buildFleetTable,
  buildFleetValues,
  buildFrameTable,
  buildMonthsTable,
  buildMonthValues,
  buildParksTable,
  buildShareMonths,
  buildVerdictMonths,
  buildVerdictTable,
} from "./tables.ts";
import { listGiven } from "../../show/text/lists.ts";

const [abnormality, last12, year, energy] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
  "last_full_year_index",
  "predicted_production",
]);
const [hubHeight, ratedPower, diameter, timeZone] = pickColumns(turbineDetailsFields, [
  "hub_height",
  "rated_power",
  "rotor_diameter",
  "time_zone",
]);

const TABLE_MONTHS = 12;

const { headings, labels } = messages;

const section = (
  id: string,
  title: string,
  ...blocks: readonly (Block | false | null | undefined | "")[]
): Section => ({ id, title, blocks: listGiven(...blocks) });

/** Explanations of the figures, for the foot of a report. */
const definitions = section(
  "definitions",
  headings.definitions,
  { kind: "text", text: messages.normal },
  {
    kind: "terms",
    items: [
      ...shownFigures.map((column) => [labelWithUnit(column), column.description] as const),
      [labels.interval, messages.intervalMeaning],
      [labels.verdict, messages.verdict],
      [labels.ratio, messages.comparison],
    ],
  },
  { kind: "text", text: messages.missingValue },
);

/** The main figures of a fleet, above the tables; production only if it is known for most of the fleet. */
function buildHeadline({ figures: all, units }: FleetContent): Block {
  const { verdict } = all;
  const [measured, modelled] = [all.units_measured, all.units].map((some) =>
    messages.tile(some, units)
  );
  const items = ([
    ...(verdict?.produced == null ? [] : [
      [messages.of(labels.produced, measured), verdict.produced, energy.unit!],
      [messages.of(labels.deviation, measured), verdict.deviation_share, abnormality.unit!],
    ] as const),
    ...[abnormality, last12, year].map(({ name, label, unit }) =>
      [label, all[name], unit!] as const
    ),
    [messages.of(energy.label, modelled), all.predicted_production, energy.unit!],
  ] as const).map(([label, value, unit]) => ({ label, value, unit }));
  return { kind: "figures", items };
}

/** Lines about the source of a fleet's figures. */
function listFleetSources({ members, source, origin }: FleetContent): string[] {
  const { fleet } = messages.sources;
  const number = countUnits(members.filter(({ file }) => file !== undefined));
  const line = source &&
    fleet(number, origin.world, formatStamp(source.first), formatStamp(source.last));
  return listGiven(line, ...origin.attribution);
}

/** The share of an owner in the turbines of a fleet. */
function buildFleetShare({ owner, content }: NonNullable<FleetContent["share"]>): Section {
  const { month, figures: all } = content;
  return section(
    "share",
    messages.owner.title(owner),
    {
      kind: "text",
      text: messages.owner.energies(
        { ...all, owner, month },
        all.verdict?.produced ?? null,
        all.units_measured,
      ),
      look: "summary",
    },
    buildHeadline(content),
    hasProduction(content) && buildVerdictTable(content, owner),
    ...buildFleetValues(content),
    buildFleetTable(content, owner),
    { kind: "text", look: "note", text: messages.owner.note },
  );
}

/** The share of an owner in a turbine. */
function buildTurbineShare(content: TurbineContent, owner: string): Section {
  const months = listOwnMonths(content).slice(-TABLE_MONTHS);
  const last = months[months.length - 1];
  const energies = messages.owner.energies({ ...last, owner }, last.verdict?.produced ?? null);
  return section(
    "share",
    messages.owner.title(owner),
    { kind: "text", text: energies },
    buildShareMonths(months, owner),
    ...buildMonthValues(months),
    { kind: "text", look: "note", text: messages.owner.note },
  );
}

const hasProduction = ({ members }: Pick<FleetContent, "members">) =>
  members.some(({ reportMonth }) => reportMonth?.verdict?.produced != null);

/** Builds the report on a fleet. */
export function buildFleetDocument(content: FleetContent): ReportDocument {
  const { title, fleet, month, members, groups, months, origin, summary } = content;
  const without = members.filter(({ reason }) => reason !== undefined);
  const small = drawTwice("small", (width) => plotSmallCharts(content, width));
  const { strip, order, sums, interval, lost } = messages.fleet;
  const isMeasured = hasProduction(content);
  const verdicts = drawTwice("months", (width) => plotVerdicts(content, width));
  return {
    title,
    of: "fleet",
    about: messages.about(
      fleet,
      members.length,
      content.units,
      origin.generatedAt.slice(0, 10),
      content.reference,
    ),
    sections: listGiven(
      section(
        "short",
        headings.short,
        { kind: "list", items: summary },
        buildHeadline(content),
        verdicts.chart && { kind: "pictures", items: [verdicts] },
      ),
      isMeasured && section(
        "verdicts",
        headings.verdicts,
        { kind: "text", look: "note", text: lost },
        buildVerdictTable(content),
        ...buildFleetValues(content),
      ),
      section("wind", headings.wind, {
        kind: "pictures",
        items: [
          months.length > 0
            ? drawTwice("months", (width) => plotFleetMonths(content, width))
            : { look: "months", chart: undefined },
          drawTwice(
            "place",
            (width) => plotMembersMap(content, width),
            messages.missing.places,
          ),
        ],
      }),
      groups.length > 0 && section("parks", headings.groups, buildParksTable(content)),
      section(
        "fleet",
        headings.fleet,
        { kind: "text", look: "note", text: order(groups.length > 0), legend: strip(month) },
        buildFleetTable(content),
        { kind: "text", look: "note", text: `${sums} ${interval}` },
      ),
      content.share && buildFleetShare(content.share),
      without.length > 0 && section("without", headings.without, {
        kind: "list",
        items: without.map(({ name, reason }) => messages.because(name, reason!)),
      }),
      small.chart && section("small", headings.small, { kind: "pictures", items: [small] }),
      definitions,
    ),
    sources: listFleetSources(content),
    origin,
  };
}

function formatPosition(latitude: number | null, longitude: number | null): string | null {
  if (latitude === null || longitude === null) return null;
  const north = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? "S" : "N"}`;
  const east = `${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? "W" : "E"}`;
  return `${north}, ${east}`;
}

/** Facts of a turbine: label and text, `null` if unknown. */
function listFacts({ id, units, details }: TurbineContent): [string, string | null][] {
  const { last_wind_index: last, training_start: start, training_end: end } = details;
  const measure = (column: typeof hubHeight): [string, string | null] => {
    const value = details[column.name] as number | null;
    return [column.label, value === null ? null : messages.measure(value, column.unit!)];
  };
  return listGiven(
    [labels.id, shortenText(id, 200)],
    [labels.place, formatPosition(details.latitude, details.longitude)],
    measure(hubHeight),
    measure(ratedPower),
    measure(diameter),
    units > 1 && [labels.units, String(units)] as [string, string],
    [timeZone.label, details.time_zone && shortenText(details.time_zone)],
    [
      labels.training,
      start === null && end === null
        ? null
        : messages.from(String(start ?? messages.notKnown), String(end ?? messages.notKnown)),
    ],
    [labels.lastIndex, last && formatMonth(formatMonthLabel(last))],
  );
}

/** Answers about a turbine as sections. */
function buildAnswers(answers: readonly Answer[]): Section[] {
  return answers.map((answer, i) => {
    const { title, synthetic, tables } = partsOf(answer)!;
    return section(
      `answer-${i + 1}`,
      synthetic ? `${SYNTHETIC}: ${title}` : title,
      { kind: "list", items: [...answer.summary, ...answer.notes] },
      { kind: "pictures", items: [{ look: "months", chart: plotSteps(answer) }] },
      ...tables.map(({ title, frame }) => buildFrameTable(title, frame, true)),
    );
  });
}

const pickVerdict = ({ month, verdict }: MonthContent) => (
  { month, verdict: verdict?.produced == null ? null : verdict.verdict }
);

/** Builds the report on a turbine. */
export function buildTurbineDocument(content: TurbineContent): ReportDocument {
  const { answers = [] } = content.report;
  const attribution = answers.flatMap(({ provenance }) => provenance)
    .flatMap((source) => source.attribution);
  const { id, name, month, months, sentences, remarks, sources, origin, reference } = content;
  const made = origin.generatedAt.slice(0, 10);
  const { verdict } = reportMonthOf(content);
  const twelve = months.slice(-TABLE_MONTHS);
  const isMeasured = twelve.some(({ verdict }) => verdict?.produced != null);
  return {
    title: name,
    of: "turbine",
    about: messages.aboutTurbine(month, shortenText(id), made, reference),
    back: messages.toFleet(month),
    sections: listGiven(
      section(
        "short",
        headings.short,
        verdict && { kind: "text", look: "summary", text: verdict.text },
        {
          kind: "pictures",
          items: [plotMonthSteps, plotIndices, plotComparison].map((plot): Picture => (
            { look: "narrow", chart: plot(content) }
          )),
        },
        isMeasured && { kind: "verdicts", items: twelve.map(pickVerdict) },
      ),
      section(
        "twelve",
        headings.twelve,
        isMeasured && buildVerdictMonths(twelve),
        ...buildMonthValues(twelve),
        buildMonthsTable(twelve, isMeasured),
      ),
      section(
        "figures",
        headings.figures,
        { kind: "figures", items: sentences },
        remarks.length > 0 && { kind: "text", text: remarks.join(" ") },
      ),
      content.owner !== undefined && buildTurbineShare(content, content.owner),
      ...buildAnswers(answers),
      section("facts", headings.facts, { kind: "facts", items: listFacts(content) }),
      definitions,
    ),
    sources: [
      ...sources.map(formatSource),
      ...new Set([...origin.attribution, ...attribution]),
    ],
    origin,
  };
}
