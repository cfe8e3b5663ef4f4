import { ArgumentError } from "../../api/errors.ts";
import {
  addShares,
  buildShare,
  computeReach,
  type ErrorShare,
  scaleShare,
} from "../../windindex/uncertainty/error_terms.ts";

/** Errors of a normal year caused by the record and its model, by source. */
export type EstimateShares = Readonly<Record<"calibration" | "season" | "level", ErrorShare>>;

/** A normal year with its errors. */
interface UncertainYear {
  /** Energy, MWh. */
  readonly p50: number;
  readonly shares: EstimateShares;
  /** Months of the record behind it. */
  readonly months: number;
}

/** A loss of energy that the record does not include. */
export interface DeclaredLoss {
  /** Cause of the loss: `"electrical"`. */
  readonly name: string;
  /** Share of the energy that is lost, %. */
  readonly percent: number;
  /** Standard uncertainty of that share, percentage points. */
  readonly uncertainty: number;
}

/** Year-to-year variability of the climate, and how many years of it the reference period covers. */
interface Climate {
  /** Standard deviation of years over their mean, as a share; `null` if unknown. */
  readonly interAnnualVariability: number | null;
  /** Years behind it; `null` if it was declared. */
  readonly years: number | null;
  /** Years of the reference period. */
  readonly referenceYears: number;
}

/** A source of uncertainty of a long-term figure. */
interface UncertaintyShare {
  readonly name: string;
  /** Its error, relative to the energy of a year; `null` if unknown. */
  readonly error: ErrorShare | null;
  /** Origin of the error, for the frame. */
  readonly source: string;
}

/** Names of the shares in every estimate. */
const SHARES = {
  calibration: "calibration",
  season: "season",
  level: "level between years",
  reference: "reference period",
  years: "year-to-year variation",
} as const;

/**
 * Checks declared losses.
 *
 * @param action Action named in messages
 * @throws {ArgumentError} If a figure is impossible, or two losses have the same name
 */
export function assertDeclared(losses: readonly DeclaredLoss[], action: string): void {
  const names = new Set<string>(Object.values(SHARES));
  for (const { name, percent, uncertainty } of losses) {
    if (name && !names.has(name) && percent >= 0 && percent < 100 && uncertainty >= 0) {
      names.add(name);
      continue;
    }
    throw new ArgumentError(
      `Cannot ${action}: the loss "${name}" of ${percent} ± ${uncertainty} % is not valid. Each loss needs its own name, its share of the energy in % from 0 to below 100, and an uncertainty of at least 0. Give a loss such as { name: "electrical", percent: 2, uncertainty: 0.5 }`,
    );
  }
}

/** Lists the sources of uncertainty of a year's energy. */
function listShares(
  { shares: { calibration, season, level }, months }: UncertainYear,
  climate: Climate,
  losses: readonly DeclaredLoss[],
): UncertaintyShare[] {
  const { interAnnualVariability, years, referenceYears } = climate;
  const year = interAnnualVariability === null
    ? null
    : buildShare(interAnnualVariability, years === null ? Infinity : years - 1);
  const reference = year && referenceYears > 0 ? scaleShare(year, 1 / referenceYears) : null;
  const row = (name: string, error: ErrorShare | null, source: string) => ({ name, error, source });
  const variabilitySource = year
    ? `years differ as ${years === null ? "declared" : `${years} of the index do`}`
    : "unknown";
  const sample = reference ? `${referenceYears} years represent the climate` : "unknown";
  return [
    row(SHARES.calibration, calibration, `scatter of the ${months} months that count`),
    row(SHARES.season, season, "how evenly the months cover the year"),
    row(
      SHARES.level,
      level,
      "errors of the reanalysis: one that varies from year to year, and one that all years share",
    ),
    row(SHARES.reference, reference, sample),
    row(SHARES.years, year, variabilitySource),
    ...losses.map(({ name, percent, uncertainty }) => {
      const error = buildShare(uncertainty / (100 - percent));
      return row(name, error, `declared: ${percent} ± ${uncertainty} % of the energy`);
    }),
  ];
}

/**
 * Combines the shares of the uncertainty of the mean of some years, taken as independent; year-to-year differences fall
 * with the root of their number.
 *
 * Source: JCGM 100:2008 (GUM), G.4.1 for the degrees of freedom (Welch and Satterthwaite). Reference period and year to
 * year use the same estimate of variability, so their variances count as one.
 *
 * @param years Number of years
 * @returns The error, and the variance of each share; `null` if a share is unknown
 */
function combineShares(
  shares: readonly UncertaintyShare[],
  years: number,
): { readonly parts: readonly number[]; readonly error: ErrorShare } | null {
  if (shares.some(({ error }) => error === null)) return null;
  const parts = shares.map(({ name, error }) =>
    error!.variance / (name === SHARES.years ? years : 1)
  );
  const position = (name: string) => shares.findIndex((share) => share.name === name);
  const [reference, ofYears] = [position(SHARES.reference), position(SHARES.years)];
  const error = addShares(...shares.map(({ error }, i) => ({
    variance: i === reference ? 0 : i === ofYears ? parts[i] + parts[reference] : parts[i],
    freedom: error!.freedom,
  })));
  return { parts, error };
}

/** Numbers of years with a P75 and a P90. */
const YEARS = [1, 10, 20] as const;

/** Builds the cells of a standard error in % and its degrees of freedom. */
const cellsOf = (error: ErrorShare | null) => ({
  standard_error: error && 100 * Math.sqrt(error.variance),
  freedom: error && Number.isFinite(error.freedom) ? error.freedom : null,
});

/**
 * Tabulates the energy that the mean of one, ten and twenty years exceeds with 75 and 90 % probability, `P50 (1 - t u)`
 * with t of Student's distribution, and the shares of the uncertainty of one year.
 */
export function tabulateUncertainty(
  estimate: UncertainYear,
  climate: Climate,
  losses: readonly DeclaredLoss[],
) {
  const p50 = losses.reduce((energy, { percent }) => energy * (1 - percent / 100), estimate.p50);
  const shares = listShares(estimate, climate, losses);
  const sums = YEARS.map((years) => combineShares(shares, years));
  const exceedance = YEARS.map((years, i) => {
    const error = sums[i]?.error ?? null;
    const exceed = (percent: 75 | 90) => {
      const energy = error === null ? 0 : p50 * (1 - computeReach(error, percent));
      return energy > 0 ? energy : null; // too uncertain for a normal distribution
    };
    return { years, p50, p75: exceed(75), p90: exceed(90), ...cellsOf(error) };
  });
  const [ofOneYear] = sums;
  const uncertainty = shares.map(({ name, error, source }, i) => ({
    share: name,
    ...cellsOf(error),
    of_variance: ofOneYear && 100 * ofOneYear.parts[i] / ofOneYear.error.variance,
    source,
  }));
  return { exceedance, uncertainty };
}

/** Rows of the frames of the uncertainty. */
export type UncertaintyTables = ReturnType<typeof tabulateUncertainty>;
