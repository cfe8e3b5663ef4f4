import pl, { type DataFrame } from "nodejs-polars";
import {
  type Answer,
  ArgumentError,
  type CallOptions,
  checkQuality,
  compareReferences,
  coverage,
  datasets,
  downloadClimate,
  estimateLongTerm,
  explainIndex,
  modelData,
  monthlyIndices,
  NoDataError,
  planBudget,
  type PriceOptions,
  priceProduction,
  turbineDetails,
  VindkitError,
} from "../../../mod.ts";
import { checkOwner, computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { Productions } from "./stored_production.ts";

/** Questions in addition to the verdict. */
export const QUESTIONS = [
  "quality",
  "index",
  "budget",
  "references",
  "long-term",
  "price",
] as const;

/** A question in addition to the verdict. */
export type Question = typeof QUESTIONS[number];

/** Number of grid points to compare for each dataset. */
const POINTS = 4;

/** Loads the climate of the grid points around a turbine, for the years of its production. */
async function loadCandidates(
  place: { latitude: number; longitude: number },
  production: DataFrame,
  call: CallOptions,
) {
  const stamps = production.getColumn(production.columns[0]).cast(pl.Utf8);
  const [from, to] = [0, production.height - 1].map((i) => Number(stamps.get(i).slice(0, 4)));
  const names = (await datasets(call)).getColumn("service_id").toArray() as string[];
  const candidates = await Promise.all(names.map(async (name) => {
    const near = await coverage(name, { ...place, numPoints: POINTS, onNoData: "empty", ...call });
    const points = near.select("latitude", "longitude").toRecords() as (typeof place)[];
    return await Promise.all(points.map(async (point) => ({
      name: `${name} ${point.latitude} N ${point.longitude} E`,
      frame: await downloadClimate(name, { ...point, from, to, ...call }),
      ...point,
    })));
  }));
  return candidates.flat();
}

/** Inputs of a question about a turbine. */
interface Asked {
  readonly production: DataFrame | string | undefined;
  /** Months that the site file excludes. */
  readonly excluded: readonly string[];
  readonly month: string | undefined;
  readonly price: PriceOptions;
  readonly call: CallOptions;
}

/** Answers a question about a turbine. Your own script needs the same imports from `../../mod.ts`. */
export async function answerQuestion(
  question: Question,
  id: string,
  { production, excluded, month, price: givenPrice, call }: Asked,
): Promise<Answer> {
  const details = await turbineDetails(id, call);
  const { time_zone: timeZone, rated_power: ratedPower, last_wind_index: last } = details;
  const requireProduction = () => {
    if (production instanceof Object) return production;
    throw new NoDataError(
      production ??
        `Cannot answer --question ${question}: ${id} has no production. Give the site file that declares its production: --production SITE.json`,
    );
  };
  switch (question) {
    case "quality":
      return checkQuality(requireProduction(), {
        ratedPower: ratedPower ?? undefined,
        timeZone,
        predicted: await modelData(id, call),
      });
    case "index":
      return explainIndex(
        { details, model: await modelData(id, call), indices: await monthlyIndices(id, call) },
        month ?? (last ? formatMonthLabel(last) : ""),
      );
    case "budget":
      return planBudget(await monthlyIndices(id, call), {
        timeZone,
        production: isMonthly(production) ? production : undefined,
      });
    case "references": {
      const place = { latitude: details.latitude ?? NaN, longitude: details.longitude ?? NaN };
      const candidates = await loadCandidates(place, requireProduction(), call);
      return compareReferences(requireProduction(), candidates, { place, timeZone });
    }
    case "long-term":
      return estimateLongTerm(requireProduction(), await monthlyIndices(id, call), {
        details,
        model: await modelData(id, call),
        leaveOut: excluded,
      });
    case "price": {
      const { price, ...currency } = givenPrice;
      if (price === undefined) {
        throw new ArgumentError(
          `Cannot answer --question price: --price is missing. Give a price such as --price 62, or name the price table in a file such as --price prices.json`,
        );
      }
      return priceProduction(requireProduction(), {
        ...{ predicted: await modelData(id, call), details, price },
        ...currency,
      });
    }
  }
}

/** Whether a production has months: a budget cannot use annual energies. */
const isMonthly = (production: DataFrame | string | undefined): production is DataFrame =>
  production instanceof Object && !production.columns.includes("year");

/** Share of an owner in a year: the mean over its months. */
function computeShareOfYear(share: OwnerShare, id: string, year: number): number {
  const months = Array.from({ length: 12 }, (_, i) => formatMonthLabel({ year, month: i + 1 }));
  return months.reduce((sum, month) => sum + computeOwnerShare(share, id, month), 0) / 12;
}

/**
 * The budget of a fleet for the coming year, or of an owner's share in it. It leaves out turbines without a budget, and
 * says why.
 */
export async function planFleetBudget(
  ids: readonly string[],
  productions: Productions,
  share: OwnerShare | undefined,
  call: CallOptions,
): Promise<{ readonly answer: Answer; readonly leftOut: ReadonlyMap<string, string> }> {
  const budgets = new Map<string, ReturnType<typeof planBudget>>();
  const [weights, leftOut] = [new Map<string, number>(), new Map<string, string>()];
  if (share) checkOwner(share, "make the budget of a share");
  const histories = new Map<string, DataFrame>();
  for (const id of ids) {
    try {
      histories.set(id, await monthlyIndices(id, call));
    } catch (error) {
      if (!(error instanceof VindkitError)) throw error;
      leftOut.set(id, error.message);
    }
  }
  const lastOf = (frame: DataFrame) => frame.getColumn("month").cast(pl.Utf8).toArray().at(-1);
  const last = [...histories.values()].map(lastOf).sort().at(-1) as string | undefined;
  if (last === undefined) throw new NoDataError([...leftOut.values()][0]);
  const { year } = Temporal.PlainYearMonth.from(last.slice(0, 7)).add({ months: 1 });
  for (const [id, history] of histories) {
    const { time_zone: timeZone, units } = await turbineDetails(id, call);
    const production = productions.get(id);
    const part = share ? computeShareOfYear(share, id, year) : 1;
    if (part === 0) continue;
    try {
      const budget = planBudget(history, {
        timeZone,
        from: year,
        production: isMonthly(production) ? production : undefined,
      });
      budgets.set(id, budget);
      weights.set(id, part * (typeof units === "number" ? units : 1));
    } catch (error) {
      if (!(error instanceof VindkitError)) throw error;
      leftOut.set(id, error.message);
    }
  }
  if (budgets.size === 0) {
    const [reason] = leftOut.values();
    throw new NoDataError(
      reason ??
        `Cannot make the budget of ${share?.owner}: this owner has no share of the turbines in ${year}. ` +
          "Correct the ownership in the site file, or omit --owner",
    );
  }
  const answer = planBudget(Object.fromEntries(budgets), { weights: Object.fromEntries(weights) });
  return { answer, leftOut };
}
