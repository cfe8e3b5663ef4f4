import type { DataFrame } from "nodejs-polars";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { extractNumbers } from "../../src/frames/frame.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { plotMonthlyIndices } from "../../src/plots/index/monthly_indices.ts";
import { buildOrRefuse } from "./_build_or_refuse.ts";
import { buildEveryChart, edgeCases } from "./_edge_cases.ts";
import { buildIndicesFrame } from "./_frames.ts";
import { findStrangeFigures } from "./_sentence_figures.ts";
import { listViews } from "./_views.ts";

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Correlation and regression line of two columns, from their sums. */
function fitLine(x: ArrayLike<number>, y: ArrayLike<number>): number[] {
  const pairs = Array.from(x, (value, i) => [value, y[i]]);
  const [mx, my] = [0, 1].map((at) => sum(pairs.map((pair) => pair[at])) / pairs.length);
  const [xx, xy, yy] = [[0, 0], [0, 1], [1, 1]].map(([a, b]) =>
    sum(pairs.map((pair) => (pair[a] - [mx, my][a]) * (pair[b] - [mx, my][b])))
  );
  const [r, slope] = [xy / Math.sqrt(xx * yy), xy / xx];
  return [r, r * r, slope, Math.abs(my - slope * mx)];
}

/** Figures in the sentences that are derived from a frame other than as a value, mean, sum or count. */
const others: Readonly<Record<string, (chart: Chart, frames: readonly DataFrame[]) => number[]>> = {
  plotLongTerm: () => [90],
  plotUncertainty: () => [75, 90, 100],
  plotPowerCurve: () => [1.225],
  plotCorrelation: (_, [x, y]) =>
    fitLine(extractNumbers(x, "wind_speed"), extractNumbers(y, "power")),
  plotPerformance(_, [comparison]) {
    const states = comparison.getColumn("state").toArray();
    return ["low", "high"].flatMap((name) =>
      [6, 24].map((named) => states.filter((state) => state === name).length - named)
    );
  },
  plotActualAgainstPredicted(_, [comparison]) {
    const [produced, predicted] = ["produced", "predicted"].map((name) =>
      sum([...extractNumbers(comparison, name)])
    );
    return [100 * produced / predicted];
  },
  plotCompleteness(_, [record]) {
    const shares = Object.keys(record).filter((name) => /^[a-z]{3}$/.test(name))
      .flatMap((name) => [...extractNumbers(record, name)]);
    return [98, shares.filter((share) => share < 0.98).length];
  },
  plotAvailability(_, [, stops]) {
    const lost = extractNumbers(stops, "lost");
    const categories = stops.getColumn("category").toArray();
    return [...new Set(categories)].map((category) =>
      sum([...lost].filter((_, i) => categories[i] === category))
    );
  },
  plotShortfall(_, [steps]) {
    const energies = [...extractNumbers(steps, "energy")];
    return [energies[0], 100 * energies[energies.length - 1] / energies[0]];
  },
};

const built = new Map<string, ReturnType<typeof buildCharts>>();

function buildCharts(name: string) {
  return Object.entries(buildEveryChart(edgeCases[name])).flatMap(([plot, build]) => {
    const chart = buildOrRefuse(build);
    return chart ? [{ plot, build, chart }] : [];
  });
}

/** The charts of an edge case, each built once. */
function chartsOf(name: string): ReturnType<typeof buildCharts> {
  const charts = built.get(name) ?? buildCharts(name);
  built.set(name, charts);
  return charts;
}

describe("the sentences of every chart", () => {
  for (const name of Object.keys(edgeCases)) {
    it(`W7: have no figure that is not in the data of the picture: ${name}`, () => {
      const strangeByPlot: Record<string, readonly string[]> = {};
      for (const { plot, build, chart } of chartsOf(name)) {
        const otherFigures = others[plot]?.(chart, build.frames);
        const strange = findStrangeFigures(chart, build.frames, otherFigures);
        if (strange.length > 0) strangeByPlot[plot] = strange;
      }
      assertEquals(strangeByPlot, {});
    });

    it(`W7: name a span of one period once, and leave no sentence empty at the end: ${name}`, () => {
      for (const { plot, chart: { altText: text } } of chartsOf(name)) {
        assert(
          !/(\p{L}+ \d{4}) to \1|\b1 \w+s\b|[:.] \.|\. (?!r =)\p{Ll}/u.test(text),
          `${plot}: ${text}`,
        );
      }
    });
  }
});

describe("the sentence of plotPerformance()", () => {
  for (const [name, edge] of Object.entries(edgeCases)) {
    it(`W7: calls no ratio inside a band below or above it: ${name}`, () => {
      const { altText } = buildEveryChart(edge).plotPerformance();
      const parse = (text: string) => Number(text.replaceAll(",", "").replace("−", "-"));
      const band = /Normal is (?:about )?(\S+) to (\S+) %/.exec(altText)?.slice(1).map(parse);
      const named = /(\S+) %(?: \(normal (?:from|to) (\S+) %\))?/g;
      for (const [, side, list] of altText.matchAll(/; (below|above) ([^;]+)/g)) {
        for (const [text, ratio, ownNormal] of list.matchAll(named)) {
          const limit = ownNormal ? parse(ownNormal) : band![side === "below" ? 0 : 1];
          assert((side === "below") === (parse(ratio) < limit), `${side} ${text}: ${limit}`);
        }
      }
    });
  }
});

describe("findStrangeFigures()", () => {
  const indices = buildIndicesFrame();
  const chart = plotMonthlyIndices(indices);
  const strange = (from: string, to: string) => {
    assert(chart.altText.includes(from), chart.altText);
    const told = { ...listed(chart), altText: chart.altText.replace(from, to) } as Chart;
    return findStrangeFigures(told, [indices]);
  };
  const listed = ({ spec }: Chart) => ({ spec });

  it("finds a figure from another month, and one that is not the highest", () => {
    assert(listViews(chart).length > 0);
    assertEquals(findStrangeFigures(chart, [indices]), []);
    assertEquals(strange("lowest 61 % in July 2023", "lowest 61 % in June 2023").length, 1);
    assertEquals(
      strange("highest 149 % in January 2023", "highest 137 % in January 2022").length,
      1,
    );
    assertEquals(strange("1 of 24 months", "2 of 25 months").length, 1);
  });
});
