import { predictedInterval } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { verdictColumns } from "../../analysis/verdict/row.ts";
import { comparisonColumns } from "../../analysis/series/compared_series.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { messages } from "../content/messages.ts";
import type { ReportOrigin } from "../content/sources.ts";
import { listOwnMonths, shownFigures, type TurbineContent } from "../content/turbine_content.ts";

/** Version of the format of the files. */
const FORMAT_VERSION = 3;

const definitions = Object.fromEntries(
  [...shownFigures, ...predictedInterval].map((column) => [column.name, column.description]),
);

/** Unit of each figure. */
const units = Object.fromEntries(
  [
    ...shownFigures,
    ...predictedInterval,
    ...comparisonColumns,
    ...turbineDetailsFields,
    ...verdictColumns,
  ]
    .flatMap(({ name, unit }) => unit ? [[name, unit]] : []),
);

/** Fields at the start of each file. */
export function buildJsonHead(
  title: string,
  { world, generatedAt, attribution }: ReportOrigin,
  month?: string,
) {
  return {
    ...(world === "sample" && { notice: messages.synthetic }),
    form: FORMAT_VERSION,
    title,
    month,
    world,
    generated_at: generatedAt,
    attribution,
  };
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 1) + "\n";
}

/** The report on a turbine as JSON: figures are numbers in the units named, `null` if missing. */
export function formatTurbineJson(content: TurbineContent): string {
  const { id, name, file, details, month, months, sentences, remarks, sources, origin } = content;
  const fields = turbineDetailsFields.map((column) => [column.name, details[column.name] ?? null]);
  return formatJson({
    ...buildJsonHead(name, origin, month),
    units,
    definitions,
    turbine: {
      ...Object.fromEntries(fields),
      turbine_id: id,
      units: content.units,
      last_wind_index: details.last_wind_index,
      file,
    },
    verdict: months[months.length - 1].verdict,
    figures: months[months.length - 1],
    sentences: Object.fromEntries(sentences.map(({ name, sentence }) => [name, sentence])),
    remarks,
    reference_years: content.reference ?? null,
    months,
    share: content.owner && { owner: content.owner, months: listOwnMonths(content) },
    answers: (content.report.answers ?? []).flatMap(({ findings }) => findings),
    sources,
  });
}

function buildMember({ id, name, details, units, file, reportMonth, strip, reason }: FleetMember) {
  return {
    turbine_id: id,
    name,
    latitude: details?.latitude ?? null,
    longitude: details?.longitude ?? null,
    units,
    file: file === undefined ? null : `turbines/${file}.json`,
    figures: reportMonth ?? null,
    month_abnormality_index: strip,
    reason: reason ?? null,
  };
}

/** The report on a fleet as JSON. */
export function formatFleetJson(content: FleetContent): string {
  const { title, fleet, month, members, groups, figures, months, origin, source } = content;
  return formatJson({
    ...buildJsonHead(title, origin, month),
    units,
    definitions,
    fleet: fleet ?? null,
    figures,
    sentences: content.summary,
    parks: groups.filter(({ name }) => name !== undefined).map(({ name, members, figures }) => ({
      name,
      turbine_ids: members.map(({ id }) => id),
      ...figures,
    })),
    turbines: members.map(buildMember),
    share: content.share && {
      owner: content.share.owner,
      figures: content.share.content.figures,
      turbines: content.share.content.members.map(buildMember),
    },
    months,
    reference_years: content.reference ?? null,
    fetched: source ?? null,
  });
}
