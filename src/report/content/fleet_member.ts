import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import { explainUseless } from "../../analysis/verdict/words.ts";
import { messages } from "./messages.ts";
import {
  isUncalibrated,
  type MonthContent,
  multiplyEnergies,
  nameOf,
  reportMonthOf,
  type TurbineContent,
  unitsOf,
} from "./turbine_content.ts";
import type { TurbineWithoutData } from "./turbine_report.ts";

const [abnormality, energy] = pickColumns(figures, [
  "month_abnormality_index",
  "predicted_production",
]);

const STRIP_MONTHS = 12;

/** A turbine on the page of the fleet. */
export interface FleetMember {
  readonly id: string;
  /** Name as it is shown. */
  readonly name: string;
  /** Name of its files, without extension; `undefined` for one without a page. */
  readonly file: string | undefined;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The years whose mean is 100 %; `undefined` where they are not known. */
  readonly reference: TurbineContent["reference"];
  /** Number of turbines of the entry. */
  readonly units: number;
  /** The month of the report, with the energies of all turbines of the entry. */
  readonly own: MonthContent | undefined;
  /** Months that end with the report's own, with the energies of one turbine; empty where nothing is known. */
  readonly months: readonly MonthContent[];
  /** Month abnormality index of the last twelve months. */
  readonly strip: readonly {
    readonly month: string;
    readonly value: number | null;
    readonly status: string | null;
  }[];
  /** Why there are no figures for the month. */
  readonly reason: string | undefined;
  /** Whether production was given. */
  readonly hasProduction: boolean;
  /** Whether its figures are those of its place, without calibration. */
  readonly isUncalibrated: boolean;
  /** Whether its calibration explains nothing. */
  readonly isUseless: boolean;
  /** Share of the owner in the month of the report. @default none is asked for */
  readonly share: number | undefined;
}

/** The share of the owner in the turbines that are partly theirs. */
export function takeShares(members: readonly FleetMember[]): FleetMember[] {
  return members.filter(({ share }) => share).map((member) => ({
    ...member,
    own: member.own && multiplyEnergies(member.own, member.share!),
    months: member.months.map((one) => multiplyEnergies(one, one.share!)),
  }));
}

/** Builds the entry of a turbine that has its own page. */
export function buildMember(content: TurbineContent): FleetMember {
  const { id, name, file, details, units, months, report, reference } = content;
  const own = multiplyEnergies(reportMonthOf(content), units);
  return {
    id,
    name,
    file,
    latitude: details.latitude,
    longitude: details.longitude,
    reference,
    units,
    own,
    months,
    strip: months.slice(-STRIP_MONTHS).map(({ month, figures: values, status }) => ({
      month,
      value: values[abnormality.name],
      status,
    })),
    reason: own.figures[energy.name] === null ? messages.fleet.noReason : undefined,
    hasProduction: report.comparison !== undefined || report.noComparison !== undefined,
    isUncalibrated: isUncalibrated(details),
    isUseless: explainUseless(details) !== null,
    share: own.share,
  };
}

/** Builds the entry of a turbine without data. */
export function buildMemberWithoutData(
  { turbineId, details, reason }: TurbineWithoutData,
  month: string,
  share: OwnerShare | undefined,
): FleetMember {
  return {
    id: turbineId,
    name: details ? nameOf(details) : shortenText(turbineId, 80),
    file: undefined,
    latitude: details?.latitude ?? null,
    longitude: details?.longitude ?? null,
    reference: undefined,
    units: details ? unitsOf(details) : 1,
    own: undefined,
    months: [],
    strip: [],
    reason: shortenText(reason, 300),
    hasProduction: false,
    isUncalibrated: false,
    isUseless: false,
    share: share && computeOwnerShare(share, turbineId, month),
  };
}
