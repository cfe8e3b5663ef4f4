import { monthOfNumber } from "../../time/zones.ts";
import { formatMonth } from "../../show/text/month.ts";
import { formatNumber } from "../../show/text/number.ts";
import type { ExpectedEnergy } from "./months.ts";
import type { Budget } from "./result.ts";

const mwh = (value: number) => `${formatNumber(value)} MWh`;

function within({ interval }: ExpectedEnergy): string {
  return interval === null
    ? ""
    : ` (90 % interval ${formatNumber(interval.low)} to ${mwh(interval.high)})`;
}

/** What a budget says. */
export function budgetSummary(
  budget: Pick<Budget, "total" | "toDate" | "forecast">,
  target: readonly number[],
): string[] {
  const { total, toDate, forecast } = budget;
  const name = (number: number) => formatMonth(monthOfNumber(number).toString());
  const span = target.length === 1
    ? name(target[0])
    : `${name(target[0])} to ${name(target[target.length - 1])}`;
  const said = [`${span}: ${mwh(total.expected)} are expected${within(total)}.`];
  if (toDate) {
    const { low, high } = toDate.interval ?? { low: NaN, high: NaN };
    const place = toDate.produced < low
      ? ", less than nineteen of twenty years give"
      : toDate.produced > high
      ? ", more than nineteen of twenty years give"
      : toDate.interval
      ? ", within what nine of ten years give"
      : "";
    said.push(
      `${toDate.months} month${toDate.months === 1 ? "" : "s"} with production gave ` +
        `${mwh(toDate.produced)} of ` +
        `${mwh(toDate.expected)} expected${within(toDate)}: ` +
        `${formatNumber(toDate.ratio, 1)} %${place}.`,
    );
  }
  if (toDate && toDate.allowed !== null) {
    said.push(
      `The wind of these months allowed ${mwh(toDate.allowed)}: ${
        formatNumber(100 * toDate.allowed / toDate.expected, 1)
      } % of what was expected.`,
    );
  }
  if (forecast) {
    said.push(
      `With them and normal months for the rest, ${span} should give ${mwh(forecast.expected)}` +
        `${within(forecast)}.`,
    );
  }
  return said;
}
