import type { CheckResult } from "./check_result.ts";
import type { NormalBand } from "./normal_band.ts";
import type { PerformanceBasis } from "./options.ts";
import { formatFigures, formatShare } from "../../show/text/digits.ts";

/** Computes the share of the hours of all periods that are compared; `null` where it is unknown. */
export function computeCompleteness({ periods }: CheckResult): number | null {
  const hours = periods.reduce((sum, period) => sum + period.hours, 0);
  const known = periods.reduce((sum, period) => sum + period.hours * period.completeness, 0);
  return Number.isFinite(known) ? known / hours : null;
}

/** Lists what the head of a check shows. */
export function listFacts(
  checked: CheckResult,
  band: NormalBand | null,
  basis: PerformanceBasis,
): { label: string; value: string | null }[] {
  const lost = checked.outages.filter((outage) => Number.isFinite(outage.lost))
    .reduce((sum, outage) => sum + outage.lost, 0);
  const percent = (value: number) => formatFigures([value], "%");
  const completeness = computeCompleteness(checked);
  return [
    { label: "Basis", value: basis },
    {
      label: "Completeness",
      value: completeness === null ? null : `${formatShare(completeness)} %`,
    },
    {
      label: `Normal ${checked.by}s`,
      value: band && formatFigures([band.low, band.high], "%"),
    },
    {
      label: "Smallest lasting change",
      value: Number.isFinite(checked.change?.smallest)
        ? percent(100 * checked.change!.smallest)
        : null,
    },
    { label: "Outside of outages", value: percent(100 * checked.normalRatio) },
    {
      label: "Lost in outages",
      value: checked.outages.length === 0 ? null : formatFigures([lost], "MWh"),
    },
  ];
}
