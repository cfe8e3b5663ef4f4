import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { shortenText } from "../../show/text/short_text.ts";
import { messages } from "./messages.ts";
import {
  type MonthContent,
  nameOf,
  ownMonth,
  type TurbineContent,
  unitsOf,
} from "./turbine_content.ts";
import type { TurbineWithoutData } from "./turbine_report.ts";

const [abnormality, energy] = pickColumns(figures, [
  "month_abnormality_index",
  "predicted_production",
]);

const STRIP_MONTHS = 12;

/** What the fleet page keeps of a turbine. */
export interface Member {
  readonly id: string;
  /** Name as it is shown. */
  readonly name: string;
  /** Name of its files, without extension; `undefined` for one without a page. */
  readonly file: string | undefined;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Turbines that the entry stands for. */
  readonly units: number;
  /** The month of the report. */
  readonly own: MonthContent | undefined;
  /** Months that end with the report's own; none where nothing is known. */
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
}

/** What the fleet page keeps of a turbine with a page of its own. */
export function memberOf(content: TurbineContent): Member {
  const { id, name, file, details, units, months, given } = content;
  const own = ownMonth(content);
  return {
    id,
    name,
    file,
    latitude: details.latitude,
    longitude: details.longitude,
    units,
    own,
    months,
    strip: months.slice(-STRIP_MONTHS).map(({ month, figures: values, status }) => ({
      month,
      value: values[abnormality.name],
      status,
    })),
    reason: own.figures[energy.name] === null ? messages.fleet.noReason : undefined,
    hasProduction: given.comparison !== undefined || given.noComparison !== undefined,
  };
}

/** What the fleet page keeps of a turbine without data. */
export function memberWithout({ turbineId, details, reason }: TurbineWithoutData): Member {
  return {
    id: turbineId,
    name: details ? nameOf(details) : shortenText(turbineId, 80),
    file: undefined,
    latitude: details?.latitude ?? null,
    longitude: details?.longitude ?? null,
    units: details ? unitsOf(details) : 1,
    own: undefined,
    months: [],
    strip: [],
    reason: shortenText(reason, 300),
    hasProduction: false,
  };
}
