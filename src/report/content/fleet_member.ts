import type { TurbineDetails } from "../../api/resources/resources.ts";
import { computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import { messages } from "./messages.ts";
import {
  type MonthContent,
  multiplyEnergies,
  nameOf,
  reportMonthOf,
  type Strip,
  type TurbineContent,
  unitsOf,
} from "./turbine_content.ts";
import type { TurbineWithoutData } from "./turbine_report.ts";

const STRIP_MONTHS = 12;

/** A turbine on the page of the fleet. */
export interface FleetMember {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Name of its files, without extension; `undefined` without a page. */
  readonly file?: string;
  readonly details: TurbineDetails | undefined;
  /** The years whose mean is 100 %; `undefined` if unknown. */
  readonly reference?: TurbineContent["reference"];
  /** Number of turbines of the entry. */
  readonly units: number;
  /** The month of the report, with the energies of all turbines of the entry. */
  readonly reportMonth?: MonthContent | undefined;
  /** Months up to the month of the report, with the energies of one turbine; empty without data. */
  readonly months: readonly MonthContent[];
  /** Month abnormality index of the last twelve months. */
  readonly strip: Strip;
  /** Why there are no figures for the month. */
  readonly reason: string | undefined;
  /** Whether the caller gave production. */
  readonly hasProduction: boolean;
  /** Share of the owner in the month of the report. @default none */
  readonly share: number | undefined;
}

/** The entries in which the owner has a share, scaled to that share. */
export function takeShares(members: readonly FleetMember[]): FleetMember[] {
  return members.filter(({ share }) => share).map((member) => ({
    ...member,
    reportMonth: member.reportMonth && multiplyEnergies(member.reportMonth, member.share!),
    months: member.months.map((one) => multiplyEnergies(one, one.share!)),
  }));
}

/** Builds the entry of a turbine that has its own page. */
export function buildMember(content: TurbineContent): FleetMember {
  const { id, name, file, details, units, months, report, reference } = content;
  const reportMonth = multiplyEnergies(reportMonthOf(content), units);
  return {
    id,
    name,
    file,
    details,
    reference,
    units,
    reportMonth,
    months,
    share: reportMonth.share,
    strip: months.slice(-STRIP_MONTHS).map(({ month, month_abnormality_index: value, status }) => ({
      ...{ month, value, status },
    })),
    reason: reportMonth.predicted_production === null ? messages.fleet.noReason : undefined,
    hasProduction: report.comparison !== undefined || report.noComparison !== undefined,
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
    details,
    units: details ? unitsOf(details) : 1,
    months: [],
    strip: [],
    reason: shortenText(reason, 300),
    hasProduction: false,
    share: share && computeOwnerShare(share, turbineId, month),
  };
}
