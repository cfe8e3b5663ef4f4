import { formatNumber, formatSigned } from "../../show/text/number.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { FreshMonth, StoredCalibration } from "../store/site_record.ts";
import type { ImportedTurbine } from "./compute_turbine.ts";

const formatEnergy = (energy: number) => `${formatNumber(energy / 1000, 1)} MWh`;

/** Describes by how many points the abnormality indices of the months that both have changed. */
function describeMonths(before: readonly FreshMonth[], now: readonly FreshMonth[]): string[] {
  const known = new Map(
    before.map((month) => [formatMonthLabel(month), month.month_abnormality_index]),
  );
  const changes = now.flatMap((month) => {
    const label = formatMonthLabel(month);
    const [old, own] = [known.get(label) ?? null, month.month_abnormality_index];
    return old === null || own === null ? [] : [{ label, change: own - old }];
  });
  if (changes.length === 0) return [];
  const mean = changes.reduce((sum, { change }) => sum + Math.abs(change), 0) / changes.length;
  const most = changes.reduce((a, b) => Math.abs(b.change) > Math.abs(a.change) ? b : a);
  return [
    `the abnormality indices of ${changes.length} months by ${
      mean.toFixed(1)
    } points on average, ` +
    `most in ${most.label} (${formatSigned(most.change, 1)} points)`,
  ];
}

/**
 * Adds to the notes of a calibration what another engine changed: mean annual energy, factor, abnormality indices.
 *
 * @param before Its calibration by the other engine
 * @param months Its months as published by that one
 */
export function noteEngineChange(
  computed: ImportedTurbine,
  before: StoredCalibration,
  months: readonly FreshMonth[],
): ImportedTurbine {
  const calibration = computed.calibration!;
  const [old, now] = [before.meanAnnualEnergy, calibration.meanAnnualEnergy];
  const [k, own] = [before.calibration.k, calibration.calibration.k];
  const changes = [
    ...(old === null || now === null ? [] : [
      `the mean annual energy from ${formatEnergy(old)} to ${formatEnergy(now)} ` +
      `(${formatSigned(100 * (now / old - 1), 2)} %)`,
    ]),
    `k from ${k.toFixed(4)} to ${own.toFixed(4)}`,
    ...describeMonths(months, computed.months),
  ];
  const note = `Engine ${calibration.basis.engine} in place of ${before.basis.engine} changes ` +
    `${changes.join("; ")}.`;
  return { ...computed, calibration: { ...calibration, notes: [note, ...calibration.notes] } };
}
