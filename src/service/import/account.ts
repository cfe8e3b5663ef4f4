import { correlation } from "../../windindex/correlation.ts";
import { type CalibrationPeriod, isWhole } from "../../windindex/calibration.ts";
import type { Interval } from "../../windindex/uncertainty.ts";
import type { ComputedTurbine } from "./compute_turbine.ts";
import type { ImportResult } from "./import_site.ts";

function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A 90 % interval in brackets. */
function interval(bounds: Interval | null | undefined, digits: number, unit = 1): string {
  if (!bounds) return "";
  return ` (${(bounds.low / unit).toFixed(digits)} to ${(bounds.high / unit).toFixed(digits)})`;
}

/** Agreement of modelled and produced energy over the periods used. */
function agreement(periods: readonly CalibrationPeriod[], residual: number | null): string {
  const used = periods.filter(isWhole);
  if (residual === null) return "one period, no residual";
  const r = used.length > 2
    ? `, r ${
      correlation(used.map(({ modelled }) => modelled!), used.map(({ produced }) => produced))
        .toFixed(3)
    }`
    : "";
  return `residual ${percent(residual)} over ${used.length} periods${r}`;
}

function turbineLines(computed: ComputedTurbine, revised: number): string[] {
  const { turbine, climateHours, climateCompleteness, calibration, held, months, findings } =
    computed;
  const climate = `climate ${climateHours} h, ${percent(climateCompleteness)} complete`;
  if (!calibration) {
    return [`${turbine.id}: ${climate}; no production, so no calibration and no indices`];
  }
  const { k, periods, hours, residual } = calibration.calibration;
  const { revision, uncertainty, meanAnnualEnergy } = calibration;
  const possible = periods.reduce((sum, period) => sum + period.hours, 0);
  const withFigures = months.filter((month) => month.month_index !== null);
  const span = [withFigures[0], withFigures[withFigures.length - 1]]
    .map(({ year, month }) => `${year}-${String(month).padStart(2, "0")}`).join(" to ");
  const { referenceYears } = calibration;
  return [
    `${turbine.id} (${turbine.name}): k ${k.toFixed(4)}${interval(uncertainty?.k, 4)}, ` +
    agreement(periods, residual),
    ...(held
      ? [
        `  calibration ${revision} holds: production of its window is the same. ` +
        "Later production is not fitted; --recalibrate fits all",
      ]
      : []),
    `  ${climate}`,
    `  production ${calibration.trainingStart} to ${calibration.trainingEnd}: ${hours} of ${possible} h used, ` +
    percent(hours / possible),
    `  indices ${span}, ${withFigures.length} months; 100 % is the mean of ` +
    `${referenceYears[0]} to ${
      referenceYears[referenceYears.length - 1]
    } (${referenceYears.length} years)`,
    ...(meanAnnualEnergy === null ? [] : [
      `  a normal year gives ${(meanAnnualEnergy / 1000).toFixed(0)} MWh` +
      interval(uncertainty?.longTerm, 0, 1000) +
      (uncertainty?.interAnnualVariability
        ? `; single years vary by ${percent(uncertainty.interAnnualVariability)}`
        : ""),
    ]),
    ...(revised > 0 ? [`  ${revised} months that were published before have a new revision`] : []),
    ...calibration.notes.map((note) => `  ${note}`),
    ...findings.map((finding) => `  found: ${finding}`),
  ];
}

/**
 * What an import took, in lines for a person: hours, completeness, k, residual, findings.
 *
 * @param result What the import did
 */
export function importAccount(result: ImportResult): string {
  if (result.unchanged) return `${result.site}: unchanged, nothing to do`;
  return [
    `${result.site}: imported`,
    ...result.turbines.flatMap((computed) =>
      turbineLines(computed, result.revised.get(computed.turbine.id) ?? 0)
    ),
  ].join("\n");
}
