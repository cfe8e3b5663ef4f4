import {
  calendarMonth,
  formatCount,
  formatFigures,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
  joinNames,
} from "../../show/text/numbers.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { type Cause, type Deviation, type Judgement, partOf, type Suspect } from "./row.ts";

/** Subject of a verdict, for its words. */
export interface About {
  /** Number of turbines of a fleet, and how many of them have production. @default one turbine */
  readonly fleet?: { readonly turbines: number; readonly measured: number };
  /** Why a verdict is not possible, whatever the figures are. @default the figures decide */
  readonly reason?: string | null;
  /** Whether that is a useless calibration, so its wind says nothing either. @default {false} */
  readonly useless?: boolean;
  /** Additional sentences, such as the stops found, or a lasting change in the rest. @default none */
  readonly note?: string;
}

/** Reasons why a verdict is not possible. */
export const doubts = {
  noProduction: ({ fleet }: About): string =>
    fleet?.measured === 0
      ? "no turbine has production"
      : fleet
      ? `only ${fleet.measured} of ${formatCount(fleet.turbines, "turbine")} have production, ` +
        "with less than half of the normal energy"
      : "there is no production",
  notCovered: "the production has no separate figure for this period",
  noNormal: "the normal energy is unknown. Give the indices of the turbine",
  fewHours: (share: number): string => `only ${formatShare(share)} % of the hours are compared`,
  noInterval: "the error of the model is unknown without six months of production outside of stops",
  noClearStep: "no step is certain enough to be the cause",
  uncalibrated: "the index is not calibrated with production of this turbine",
  useless: "the modelled wind does not explain the production",
  mostUseless:
    "most of the energy comes from turbines whose modelled wind does not explain their production",
};

/** Explains why a useless calibration allows no verdict on a turbine; `null` for any other. */
export function explainUseless(
  { calibration_verdict: verdict, calibration_reason: reason }: Pick<
    TurbineDetails,
    "calibration_verdict" | "calibration_reason"
  >,
): Pick<About, "reason" | "useless"> | null {
  if (verdict !== "useless") return null;
  const why = typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
  return { reason: `${doubts.useless}${why}`, useless: true };
}

/** "214.1 MWh (194.5 to 236.7)". */
const formatPart = ({ energy, low, high }: Suspect): string => {
  const size = formatFigures([Math.abs(energy)], "MWh");
  if (low === null || high === null) return size;
  const ends = energy < 0 ? [-high, -low] : [low, high];
  return `${size} (${formatFigures(ends, "MWh").replace(" MWh", "")})`;
};

/** Effect of a cause, in words. */
const DID: Readonly<Record<Cause, (part: Suspect, stopsUnseen: boolean) => string>> = {
  wind: (part) =>
    part.energy < 0
      ? `less wind than normal cost ${formatPart(part)}`
      : `more wind than normal added ${formatPart(part)}`,
  stops: (part) => `stops cost ${formatPart(part)}`,
  curtailment: (part) => `curtailment cost ${formatPart(part)}`,
  unexplained: (part, stopsUnseen) =>
    part.energy < 0
      ? stopsUnseen
        ? `stops or other causes cost ${formatPart(part)}`
        : `${formatPart(part)} are missing without a known cause`
      : `the output was ${formatPart(part)} more than the wind explains`,
};

/** Names the culprit. */
function nameCulprit(causes: readonly Suspect[], { fleet }: About): string {
  const turbine = fleet ? "turbines" : "turbine";
  const [hasWind, hasTurbine] = [true, false].map((isWind) =>
    causes.some(({ cause }) => (cause === "wind") === isWind)
  );
  if (hasWind && hasTurbine) return `It was the wind and the ${turbine}`;
  if (hasWind) return "It was the wind";
  return causes.every(({ cause }) => cause === "curtailment")
    ? `The ${turbine} ${fleet ? "were" : "was"} curtailed`
    : `It was the ${turbine}`;
}

/** "a normal March", "a normal year". */
export function nameNormal(period: string): string {
  if (/^\d{4}$/.test(period)) return "a normal year";
  if (/^\d{4} to \d{4}$/.test(period)) return "normal years";
  return /^\d{4}-\d{2}$/.test(period) ? `a normal ${calendarMonth(period)}` : "normal months";
}

/** Formats a period: "March 2024", "2024", "January 2024 to June 2024". */
export const formatPeriod = (period: string): string =>
  period.replace(/\d{4}-\d{2}/g, (month) => formatMonth(month));

/** Labels a period by its first and last month, or year: "2024-03", "2024", "2024-01 to 2024-06". */
export function labelPeriod(first: string, last: string): string {
  const years = first.endsWith("-01") && last.endsWith("-12");
  const [from, to] = [first, last].map((label) => years ? label.slice(0, 4) : label);
  return from === to ? from : `${from} to ${to}`;
}

/** Names the reference period of a normal: "mean of 2005 to 2024"; empty if unknown. */
function nameReference({ reference_from: from, reference_to: to }: Deviation): string {
  if (from === null || to === null) return "";
  return from === to ? `, of ${from}` : `, mean of ${from} to ${to}`;
}

/** Compares production with normal. */
function describeEnergy(figures: Deviation): string {
  const { period, produced, normal, completeness, wind } = figures;
  const part = completeness !== null && completeness < 0.9995
    ? `${formatShare(completeness)} % of `
    : "";
  const hours = part && ` in ${part}the hours`;
  const reference = (energy: number) =>
    `${part}${nameNormal(period)} (${formatFigures([energy], "MWh")}${nameReference(figures)})`;
  if (produced === null) {
    return normal === null || wind === null
      ? ""
      : `In ${formatPeriod(period)} the wind would have given ${
        formatFigures([normal + wind], "MWh")
      }, ${formatPercent(100 * (normal + wind) / normal)} of ${reference(normal)}.`;
  }
  const producedPart = `${formatPeriod(period)}: ${
    formatFigures([produced], "MWh")
  } produced${hours}`;
  if (normal === null) return `${producedPart}.`;
  const [deviation, share] = [
    produced - normal,
    formatPercent(Math.abs(100 * (produced / normal - 1))),
  ];
  return `${producedPart}, ${
    share === "0.0 %"
      ? "as much as"
      : `${formatFigures([Math.abs(deviation)], "MWh")} (${share}) ${
        deviation < 0 ? "less" : "more"
      } than`
  } ${reference(normal)}.`;
}

/** Explains why a fleet has no value although some of its turbines have one. */
export const VALUES_APART =
  "The fleet has no total value, because some turbines have no prices or use another currency.";

/** Lists the values of the energies, step by step. */
function describeValue({ value }: Deviation): string[] {
  if (!value || value.produced === null) return [];
  const { currency, produced, normal, priced } = value;
  const hours = priced < 0.9995
    ? ` in the ${formatShare(priced)} % of these hours with a price`
    : "";
  const worth = `The production${hours} is worth ${formatFigures([produced], currency)}`;
  if (normal === null) return [`${worth}.`];
  const steps = (["wind", "stops", "limited", "rest"] as const).flatMap((name) => {
    const part = partOf(value, name);
    if (!part?.energy) return [];
    const { energy, low, high } = part;
    const ends = low === null || high === null
      ? ""
      : ` (${formatNumber(low)} to ${formatNumber(high)})`;
    return `${name === "limited" ? "curtailment" : name} ${formatSigned(energy)}${ends}`;
  });
  const less = produced < normal ? "less" : "more";
  return [
    `${worth}, ${formatFigures([Math.abs(produced - normal)], currency)} ${less} than normal` +
    (steps.length > 0 ? `: ${steps.join(", ")} ${currency}.` : "."),
  ];
}

/** Writes a verdict: the answer, the figure with its interval, then the production. */
export function writeVerdict(
  figures: Deviation,
  { causes, band, reason }: Judgement,
  about: About,
): string {
  const { fleet, note } = about;
  const end = [
    describeEnergy(figures),
    ...describeValue(figures),
    ...(fleet && fleet.measured > 0 && fleet.measured < fleet.turbines && figures.produced !== null
      ? [`${fleet.measured} of ${fleet.turbines} turbines have production.`]
      : []),
    ...(note ? [note] : []),
  ].filter((sentence) => sentence !== "");
  if (reason !== null) {
    const refusal = `Cannot tell wind from turbine: ${reason}.`;
    // Without production the wind is the answer, unless the calibration is useless.
    return (figures.produced === null && !about.useless ? [...end, refusal] : [refusal, ...end])
      .join(
        " ",
      );
  }
  const [first] = causes;
  if (first === undefined) {
    const usual = `Deviations of up to ${formatFigures([band], "MWh")} are within the model error.`;
    return [`As usual.`, end[0], usual, ...end.slice(1)].join(" ");
  }
  const deviation = figures.produced! - figures.normal!;
  const isMain = ({ energy }: Suspect) => Math.sign(energy) === Math.sign(first.energy);
  const [main, opposing] = [true, false].map((wantsMain) =>
    causes.filter((one) => isMain(one) === wantsMain)
  );
  const say = (suspects: readonly Suspect[]) =>
    joinNames(suspects.map((one) => DID[one.cause](one, figures.stops === null)));
  const against = opposing.length === 0 ? [] : [
    Math.sign(deviation) === Math.sign(first.energy)
      ? `Against that, ${say(opposing)}.`
      : `But ${say(opposing)}.`,
  ];
  const opening = `${nameCulprit(main, about)}: ${say(main)}.`;
  return [opening, end[0], ...against, ...end.slice(1)].join(" ")
    .replace(/\((?=[^()]* to [^()]*\))/, "(90 % interval "); // the first bracket explains all of them
}
