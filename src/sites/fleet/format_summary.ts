import { formatNumber, formatPercent, listNames } from "../../show/text/numbers.ts";
import { judgeCalibration } from "../../windindex/calibration/judge_calibration.ts";
import { measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import type { ImportedFigures } from "./plan_site.ts";
import { formatFailures, type TurbineFailure } from "../turbine_failure.ts";

const LEGEND = [
  "  Capacity factor: mean power of the valid hours over rated power. Error: by how much months (or",
  "  years) typically differ from what their wind leads to expect by a fit without them, in % of a",
  "  mean one; where months err independently, 11 % is about 3 % of a year. Correlation: of the same.",
];

/** How well the wind predicts the production of a turbine. */
function formatFit({ calibration }: ImportedFigures): string {
  const unseen = calibration && measureUnseenFit(calibration.calibration.periods);
  if (!unseen) return "too few months to say how well they are predicted";
  const { r, error, countedError, outages } = unseen;
  const all = (r === null ? "" : `correlation ${r.toFixed(3)}, `) +
    `error ${formatPercent(100 * error)}`;
  if (outages === 0) return all;
  const counted = countedError === null ? "" : `error ${formatPercent(100 * countedError)}; `;
  return `${counted}${outages} of ${unseen.periods} left out as outages, with them ${all}`;
}

function formatLine(turbine: ImportedFigures): string {
  const { production, calibration } = turbine;
  if (!production) return calibration ? "UNCALIBRATED, of its place" : "no production, so no index";
  const { from, to, validHours, capacityFactor } = production;
  const judgement = calibration && judgeCalibration(calibration);
  return `${from} to ${to}, ${formatNumber(validHours)} h valid, capacity factor ${
    formatPercent(100 * capacityFactor)
  }, ${formatFit(turbine)}${judgement ? `; calibration ${judgement.verdict}` : ""}`;
}

/**
 * Formats the outcome of an import: which turbines are not in it and why, a line for each other turbine, then what a
 * person must look at, each matter once for all turbines that it concerns.
 *
 * @param turbines The turbines as computed, and those that stay as they are stored
 * @param failures Turbines that were not imported
 */
export function formatSummary(
  turbines: readonly ImportedFigures[],
  failures: readonly TurbineFailure[],
): string[] {
  const width = Math.max(0, ...turbines.map(({ turbine }) => turbine.id.length));
  const doubts = Map.groupBy(
    turbines.flatMap(({ turbine, doubts }) => doubts.map((one) => ({ ...one, id: turbine.id }))),
    ({ cause }) => cause,
  );
  const others = turbines.reduce((count, { findings }) => count + findings.length, 0);
  const nothing = others === 0
    ? "Nothing was found that needs a person."
    : `Findings in the account of the calibration: ${others}. Read them before the figures are used.`;
  return [
    ...failures.length === 0 ? [] : [
      "",
      "Not imported, to be looked at by a person:",
      ...formatFailures(failures),
    ],
    "",
    "Summary",
    ...turbines.map((one) => `  ${one.turbine.id.padEnd(width)}  ${formatLine(one)}`),
    ...LEGEND,
    "",
    ...doubts.size === 0 ? [nothing] : [
      "To be looked at by a person:",
      ...[...doubts.values()].map((found) => {
        const [{ id, text }] = found;
        const figures = found.every((one) => one.text === text) ? "" : ` (Figures of ${id}.)`;
        return `  ${listNames(found.map((one) => one.id))}: ${text}${figures}`;
      }),
    ],
  ];
}
