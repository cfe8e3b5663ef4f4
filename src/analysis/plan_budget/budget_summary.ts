import { monthOfNumber } from "../../time/zones.ts";
import { formatMonth } from "../../show/text/month.ts";
import type { ExpectedEnergy } from "./budget_months.ts";
import type { Budget } from "./budget.ts";
import { formatFigures } from "../../show/text/digits.ts";

const formatMwh = (value: number) => formatFigures([value], "MWh");

function formatInterval({ interval }: ExpectedEnergy): string {
  return interval === null
    ? ""
    : ` (90 % interval ${formatFigures([interval.low, interval.high], "MWh")})`;
}

/** Writes a budget in sentences. */
export function writeBudgetSummary(
  budget: Pick<Budget, "total" | "toDate" | "forecast">,
  target: readonly number[],
): string[] {
  const { total, toDate, forecast } = budget;
  const name = (number: number) => formatMonth(monthOfNumber(number).toString());
  const span = target.length === 1
    ? name(target[0])
    : `${name(target[0])} to ${name(target[target.length - 1])}`;
  const sentences = [`${span}: ${formatMwh(total.expected)} are expected${formatInterval(total)}.`];
  if (toDate) {
    const { low, high } = toDate.interval ?? { low: NaN, high: NaN };
    const place = toDate.produced < low
      ? ", less than in nineteen of twenty years"
      : toDate.produced > high
      ? ", more than in nineteen of twenty years"
      : toDate.interval
      ? ", as in nine of ten years"
      : "";
    sentences.push(
      `${toDate.months} month${toDate.months === 1 ? "" : "s"} with production gave ` +
        `${formatMwh(toDate.produced)} of ` +
        `${formatMwh(toDate.expected)} expected${formatInterval(toDate)}: ` +
        `${formatFigures([toDate.ratio], "%")}${place}.`,
    );
  }
  if (toDate && toDate.allowed !== null) {
    sentences.push(
      `The wind of these months allowed ${formatMwh(toDate.allowed)}: ${
        formatFigures([100 * toDate.allowed / toDate.expected], "%")
      } of what was expected.`,
    );
  }
  if (forecast) {
    sentences.push(
      `With them and normal months for the rest, ${span} should give ${
        formatMwh(forecast.expected)
      }` +
        `${formatInterval(forecast)}.`,
    );
  }
  return sentences;
}
