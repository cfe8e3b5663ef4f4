import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { RAISE, type RaisedWind } from "./raised_wind.ts";
import type { Workers } from "./_workers.ts";

/** Pairs of months with raised wind, half a year apart: each month of the year once. */
const PAIRS = [1, 2, 3, 4, 5, 6].map((month) =>
  [month, month + 6].map((number) => `2018-${String(number).padStart(2, "0")}`)
);

/** Largest bias of the months that are not raised, and smallest share of all months in their intervals, %. */
const GOALS = { bias: 3, hits: 80 } as const;

const otherMonths = ({ raised, turbines }: RaisedWind) =>
  turbines.flat().filter(({ label }) => !raised.includes(label));

/** Mean error of the months that are not raised, %. */
function measureBias(raised: RaisedWind): number {
  return 100 *
    mean(otherMonths(raised).map(({ produced, predicted }) => predicted / produced - 1));
}

function countHits(raised: readonly RaisedWind[]): [hits: number, months: number] {
  const months = raised.flatMap(({ turbines }) => turbines.flat());
  return [months.filter(({ hit }) => hit).length, months.length];
}

const names = (labels: readonly string[]) => labels.join(", ") || "-";

function buildRow(pair: RaisedWind): string[] {
  const others = otherMonths(pair);
  const bias = measureBias(pair);
  return [
    names(pair.raised),
    names(pair.reported),
    names(pair.outages),
    `${bias < 0 ? "" : "+"}${formatPercent(bias)}`,
    countHits([pair]).join(" of "),
    `${others.filter(({ hit }) => hit).length} of ${others.length}`,
  ];
}

function listMissed(pairs: readonly RaisedWind[]): string[] {
  const [hits, months] = countHits(pairs);
  return [
    ...pairs.flatMap((pair) => {
      const months = names(pair.raised);
      const bias = measureBias(pair);
      return [
        ...(pair.raised.every((month) => pair.reported.includes(month)) &&
            pair.reported.every((month) => pair.raised.includes(month))
          ? []
          : [`Wind raised in ${months}: reported are ${names(pair.reported)}`]),
        ...(pair.outages.length === 0
          ? []
          : [`Wind raised in ${months}: ${names(pair.outages)} called outages`]),
        ...(Math.abs(bias) <= GOALS.bias
          ? []
          : [`Wind raised in ${months}: other months ${bias.toFixed(2)} % off`]),
      ];
    }),
    ...(100 * hits >= GOALS.hits * months
      ? []
      : [`Raised wind: ${hits} of ${months} months in their intervals`]),
  ];
}

/**
 * Writes the section on a reanalysis that is wrong in two months.
 *
 * @param workers Workers that compute it
 */
export async function raisedSection(workers: Workers): Promise<Section> {
  const [clean, ...pairs] = await Promise.all(
    [[], ...PAIRS].map((months) => workers.run("raiseWind", months)),
  );
  const biases = pairs.map(measureBias);
  return {
    lines: [
      "## Kelmarsh, 2018, with a reanalysis that is wrong in two months",
      "",
      `In each run, we raise the wind speed of the ERA5 data by ${
        (100 * (RAISE - 1)).toFixed(0)
      } % in two months that are half a year apart.`,
      "Together, the six runs raise the wind speed of each calendar month once.",
      "In each run, we then import the site, and predict each month from the other eleven months.",
      'The column "reported" lists the months for which the import reports a disagreement between reanalysis and site.',
      'The column "called outages" lists the months that the import or a calibration treats as outages.',
      'The column "bias of the others" shows the mean error of the ten months with unchanged wind, averaged over the four turbines.',
      "All six pairs of months come from one year, so there are few independent cases.",
      "",
      ...markdownTable(
        [
          "raised",
          "reported",
          "called outages",
          "bias of the others",
          "in the 90 % interval",
          "others in the interval",
        ],
        [
          ...[clean, ...pairs].map(buildRow),
          [
            "all pairs",
            "",
            "",
            formatPercent(mean(biases)),
            countHits(pairs).join(" of "),
            "",
          ],
        ],
      ),
      "",
    ],
    missed: listMissed(pairs),
  };
}
