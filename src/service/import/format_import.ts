import { formatMonthLabel } from "../../time/zones.ts";
import { type Calibration, isWhole } from "../../windindex/calibration/calibration.ts";
import { correlation } from "../../stats/correlation.ts";
import type { Interval } from "../../windindex/uncertainty/interval.ts";
import { parametersOf } from "../../windindex/scaling/wind_scaling.ts";
import type { StoredCalibration } from "../store/site_record.ts";
import type { CalibrationOutcome } from "./compute_turbine.ts";
import type { ImportedTurbine, ImportResult } from "./import_site.ts";

type Uncertainties = StoredCalibration["uncertainty"];

function formatPercent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A 90 % interval in brackets. */
function formatInterval(bounds: Interval | null | undefined, digits: number, unit = 1): string {
  if (!bounds) return "";
  return ` (90 %: ${(bounds.low / unit).toFixed(digits)} to ${
    (bounds.high / unit).toFixed(digits)
  })`;
}

/** How the wind is scaled, and its error in periods that it was not fitted to. */
function formatScaling(
  { k, scaling, candidates }: Calibration,
  uncertainty: Uncertainties,
): string {
  const plain = `k ${k.toFixed(4)}${formatInterval(uncertainty?.k, 4)}`;
  const values = parametersOf(scaling).map(({ value }) => value);
  const how = scaling.kind === "factor"
    ? plain
    : `factors by ${scaling.kind}, ${Math.min(...values).toFixed(3)} to ` +
      `${Math.max(...values).toFixed(3)}; plain ${plain}`;
  const unseen = candidates.find(({ kind }) => kind === scaling.kind);
  return unseen ? `${how}; error of unseen periods ${formatPercent(unseen.error)}` : how;
}

/** Agreement of modelled and produced energy over the periods used. */
function formatAgreement({ periods, residual }: Calibration): string {
  const used = periods.filter(isWhole);
  if (residual === null) {
    return `${used.length === 0 ? "no whole period" : "one period"}: no residual, no intervals`;
  }
  const r = used.length > 2
    ? `, r ${
      correlation(used.map(({ modelled }) => modelled!), used.map(({ produced }) => produced))
        .toFixed(3)
    }`
    : "";
  return `residual ${formatPercent(residual)} over ${used.length} periods${r}`;
}

/** How the calibration was obtained, where a reader has to know. */
function formatOutcome(outcome: CalibrationOutcome, revision: number): string[] {
  switch (outcome) {
    case "unchanged":
      return [
        `  calibration ${revision} is kept: the production it was fitted to is unchanged. Later production ` +
        "is not fitted; --recalibrate fits all",
      ];
    case "requested":
      return [`  calibrated again, revision ${revision}, as requested`];
    case "other declaration":
      return [
        `  calibrated again, revision ${revision}: turbine, climate source or engine are not those that ` +
        "it was fitted with",
      ];
    case "other production":
      return [
        `  calibrated again, revision ${revision}: the production it was fitted to has other values, or ` +
        "other hours of it are masked",
      ];
    default:
      return [];
  }
}

function formatTurbine(computed: ImportedTurbine, revised: number): string[] {
  const { turbine, climateHours, climateCompleteness, calibration, outcome, months, findings } =
    computed;
  const climate = `climate ${climateHours} h, ${formatPercent(climateCompleteness)} complete`;
  if (!calibration) {
    return [`${turbine.id}: ${climate}; no production, so no calibration and no indices`];
  }
  const { periods, hours } = calibration.calibration;
  const { revision, uncertainty, meanAnnualEnergy, referenceYears } = calibration;
  const possible = periods.reduce((sum, period) => sum + period.hours, 0);
  const withFigures = months.filter((month) => month.month_index !== null);
  const span = [withFigures[0], withFigures[withFigures.length - 1]].map(formatMonthLabel).join(
    " to ",
  );
  const variability = uncertainty?.interAnnualVariability;
  return [
    `${turbine.id} (${turbine.name}): ${formatScaling(calibration.calibration, uncertainty)}`,
    `  ${formatAgreement(calibration.calibration)}`,
    ...formatOutcome(outcome, revision),
    `  ${climate}`,
    `  production ${calibration.trainingStart} to ${calibration.trainingEnd}: ${hours} of ${possible} h used, ` +
    formatPercent(hours / possible),
    `  indices ${span}, ${withFigures.length} months; 100 % is the mean of ` +
    `${referenceYears[0]} to ${
      referenceYears[referenceYears.length - 1]
    } (${referenceYears.length} years)`,
    ...(meanAnnualEnergy === null ? [] : [
      `  a year of them gives ${(meanAnnualEnergy / 1000).toFixed(0)} MWh` +
      formatInterval(uncertainty?.longTerm, 0, 1000) +
      (variability ? `; single years vary by ${formatPercent(variability)}` : ""),
    ]),
    ...(revised > 0 ? [`  ${revised} months that were published before have a new revision`] : []),
    ...calibration.notes.map((note) => `  ${note}`),
    ...findings.map((finding) => `  found: ${finding}`),
  ];
}

/**
 * Formats an import in lines for a person: hours, completeness, k, residual, findings.
 *
 * @param result Result of the import
 */
export function formatImport(result: ImportResult): string {
  if (result.unchanged) return `${result.site}: unchanged, nothing to do`;
  return [
    `${result.site}: imported`,
    ...result.turbines.flatMap((computed) =>
      formatTurbine(computed, result.revised.get(computed.turbine.id) ?? 0)
    ),
  ].join("\n");
}
