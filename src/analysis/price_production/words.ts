import { formatFigures, formatPercent } from "../../show/text/numbers.ts";
import { priceWords, units as checkUnits } from "../check_performance/words.ts";

/** Units of the figures of findings, by name; money has the currency of its finding. */
export const units = { ...checkUnits, capture_rate: "%" } as const;

/** Sentences on the value of production, by finding code. */
export const words = {
  worth: (
    { produced, value, currency, capture_price, mean_price, capture_rate }:
      & Record<"produced" | "value" | "capture_price" | "mean_price" | "capture_rate", number>
      & { currency: string },
  ) =>
    `${formatFigures([produced], "MWh")} were worth ${formatFigures([value], currency)}, or ${
      formatFigures([capture_price], `${currency}/MWh`)
    }. ${
      Number.isNaN(capture_rate)
        ? "The mean price is"
        : `This price is ${formatPercent(capture_rate)} of the mean price,`
    } ${formatFigures([mean_price], `${currency}/MWh`)}.`,
  possible: ({ possible_price, currency }: { possible_price: number; currency: string }) =>
    `The energy that the wind allowed would have been worth ${
      formatFigures([possible_price], `${currency}/MWh`)
    }.`,
  ...priceWords,
  no_settlement: () =>
    "The value excludes fees, balancing costs and contract payments, so it is not a settlement.",
};
