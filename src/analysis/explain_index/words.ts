import { calendarMonth, formatMonth, formatNumber, formatShare } from "../../show/text/numbers.ts";
import type { FindingOf } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  index: "%",
  abnormality: "%",
  gap: "%",
  year_gap: "%",
  month_gap: "%",
} as const;

/** Which normal the service's indices show. */
interface Served {
  readonly from: number;
  readonly to: number;
  /** Whether they show the normal month, too. */
  readonly with_month: boolean;
}

/** Formats the difference of a value from the service's. */
const formatGap = (gap: number) =>
  `${formatNumber(Math.abs(gap), 2)} % ${gap < 0 ? "below" : "above"} the service's value`;

const SILENT = "The API does not report the reference period.";

const nameNormals = ({ with_month }: Served) =>
  with_month
    ? "the normal year and month of the service's indices"
    : "the normal year of the service's index";

const nameYears = ({ from, to, years }: Served & { readonly years: number }) =>
  `${from} to ${to}, ${years} whole years of the model data`;

/** Sentences of an explained index, by finding code. */
export const words = {
  month: ({ month, index, abnormality }: { month: string; index: number; abnormality: number }) =>
    `${formatMonth(month)} gave ${formatNumber(index, 1)} % of one twelfth of a normal year, and ` +
    `${formatNumber(abnormality, 1)} % of a normal ${calendarMonth(month)}.`,
  steps_compared: (
    { compared, steps, gap, largest }: {
      compared: number;
      steps: number;
      gap: number;
      largest: string;
    },
  ) =>
    `The service gives values for ${compared} of ${steps} steps. The largest difference between Vindkit's and the service's values is ${
      formatNumber(gap, 3)
    } %, in "${largest}".`,

  other_energy: ({ gap }: { gap: number }) =>
    `The energy of the month is ${formatGap(gap)}. Model data and indices probably come from ` +
    "different revisions, or the service treats hours, timestamps or months differently.",
  preliminary: () =>
    "The service marks the month as preliminary. Its figures and model data may still change, so " +
    "they may differ if you fetched them at different times.",
  too_few_hours: ({ completeness, needed }: { completeness: number; needed: number }) =>
    `The month has no figures, because only ${
      formatShare(completeness)
    } % of its hours have values and an index needs ${100 * needed} %.`,
  no_power: () =>
    "To recompute the power, give details with the power curve and rated power, and model data with " +
    "wind_speed and air_density.",
  no_normal: () =>
    "Vindkit did not recompute the normal year, because the model data do not cover a whole year. Request all years " +
    'with modelData(). The column "served" shows the values of the service\'s indices.',
  reference_found: (served: Served) =>
    `The reference period is probably ${served.from} to ${served.to}, because these whole years reproduce ${
      nameNormals(served)
    }.`,
  reference_chosen: (served: Served & { years: number }) =>
    `${SILENT} ${nameYears(served)}, reproduce ${nameNormals(served)}.`,
  reference_assumed: (served: Served & { years: number }) =>
    `${SILENT} Vindkit assumes ${
      nameYears(served)
    }, but had no index of the service to confirm this.`,
  reference_unknown: (
    served: Served & { years: number; year_gap: number; month_gap: number | null },
  ) =>
    `The reference period of the service is unknown, because no span of whole years reproduces ${
      nameNormals(served)
    }. For ${nameYears(served)}, the normal year is ${formatGap(served.year_gap)}${
      served.month_gap === null ? "" : `. The normal month is ${formatGap(served.month_gap)}`
    }. Request all years with modelData(), or give the years as { referenceYears }.`,
};

/** Findings of the explanation of an index. */
export type ExplanationFinding = FindingOf<typeof words>;
