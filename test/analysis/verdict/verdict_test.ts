import { assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Deviation } from "../../../src/analysis/verdict/row.ts";
import {
  buildVerdict,
  judgeByIndex,
  needsLook,
  scaleVerdict,
  sumVerdicts,
} from "../../../src/analysis/verdict/verdict.ts";
import { explainUseless } from "../../../src/analysis/verdict/words.ts";

/** A March of 1,000 MWh whose wind is known to 40 MWh, with its changes. */
function deviate(
  { wind = 0, stops = 0, limited = 0, rest = 0, ...more }:
    & Partial<Record<"wind" | "stops" | "limited" | "rest", number>>
    & Partial<Omit<Deviation, "wind" | "stops" | "limited" | "rest">>,
): Deviation {
  return {
    period: "2024-03",
    produced: 1000 + wind + stops + limited + rest,
    normal: 1000,
    ...{ wind, wind_low: wind - 40, wind_high: wind + 40, density: 0 },
    ...{ stops, stops_low: stops - 9, stops_high: stops + 9 },
    ...{ limited, limited_low: null, limited_high: null },
    ...{ rest, rest_low: rest - 41, rest_high: rest + 41 },
    ...{ completeness: 1, reference_from: 2005, reference_to: 2024 },
    ...more,
  };
}

const judge = (changes: Parameters<typeof deviate>[0], reason: string | null = null) => {
  const { verdict, causes, text } = buildVerdict(deviate(changes), { reason });
  return { verdict, causes, text };
};

describe("a verdict", () => {
  it("names the step without which the deviation would lie inside its 90 % band", () => {
    assertEquals(judge({ wind: -120, rest: 10 }).verdict, "wind");
    assertEquals(judge({ wind: 90 }).verdict, "wind");
    assertEquals(judge({ stops: -214, wind: 3 }).verdict, "stops");
    assertEquals(judge({ limited: -60 }).verdict, "curtailment");
    assertEquals(judge({ rest: -90 }).verdict, "unexplained");
  });

  it("asks for attention if the turbine itself caused a loss, also by curtailment", () => {
    const asks = (changes: Parameters<typeof deviate>[0]) =>
      needsLook(buildVerdict(deviate(changes), { reason: null }));
    assertEquals([{ stops: -214 }, { limited: -60 }, { rest: -90 }].map(asks), [true, true, true]);
    assertEquals([{ wind: -120 }, { rest: 90 }].map(asks), [false, false]);
  });

  it("names several if one alone leaves the deviation outside", () => {
    assertEquals(judge({ wind: -120, stops: -100 }).causes, "wind, stops");
    assertEquals(judge({ wind: -120, stops: -30 }).causes, "wind"); // without it, 30 MWh are inside
  });

  it("is as usual inside of the band", () => {
    assertEquals(judge({ wind: -25, stops: -5, rest: 12 }), {
      verdict: "as usual",
      causes: "",
      text:
        "As usual. March 2024: 982.0 MWh produced, 18.0 MWh (1.8 %) less than a normal March (1,000 MWh, mean of 2005 to " +
        "2024). Deviations of up to 41.0 MWh are within the model error.",
    });
    assertStringIncludes(judge({}).text, "1,000 MWh produced, as much as a normal March");
  });

  it("AN1: says that it was the turbine although the wind made up for it", () => {
    const { verdict, causes, text } = judge({ wind: 254, rest: -323 });
    assertEquals([verdict, causes], ["unexplained", "unexplained, wind"]);
    assertEquals(
      text,
      "It was the turbine: 323.0 MWh (90 % interval 282.0 to 364.0) are missing without a known cause. March 2024: 931.0 MWh " +
        "produced, 69.0 MWh (6.9 %) less than a normal March (1,000 MWh, mean of 2005 to 2024). Against that, more wind than " +
        "normal added 254.0 MWh (214.0 to 294.0).",
    );
  });

  it("reports a loss that the wind hid, although the month was above normal", () => {
    const { verdict, causes, text } = judge({ wind: 200, stops: -110 });
    assertEquals([verdict, causes], ["wind", "wind, stops"]);
    assertStringIncludes(text, "Against that, stops cost 110.0 MWh (101.0 to 119.0).");
  });

  it("needs stronger evidence for the rest than for observed steps, because an error of the model moves wind and rest alike", () => {
    assertEquals(judge({ rest: -50, wind: -10 }).verdict, "cannot be told"); // 1.22 of its reach
    assertEquals(judge({ rest: -52, wind: -10 }).verdict, "unexplained");
    assertEquals(judge({ rest: -48, wind: 48 }).causes, "wind");
  });

  it("is not possible if no clear step explains most of the deviation, and says so", () => {
    const { verdict, text } = judge({ wind: -35, rest: -35 });
    assertEquals(verdict, "cannot be told");
    assertMatch(
      text,
      /^Cannot tell wind from turbine: no step is certain enough to be the cause\. /,
    );
  });

  it("is not possible without production, normal, hours or an interval", () => {
    const about = (changes: Parameters<typeof deviate>[0], reason?: string) =>
      /Cannot tell wind from turbine: (.*?)\.(?: |$)/.exec(
        judge({ stops: -214, ...changes }, reason).text,
      )?.[1];
    assertEquals(about({ produced: null }), "there is no production");
    assertMatch(about({ normal: null })!, /^the normal energy is unknown/);
    assertEquals(about({ completeness: 0.697 }), "only 69.7 % of the hours are compared");
    assertMatch(
      about({ rest_low: null, rest_high: null })!,
      /^the error of the model is unknown/,
    );
    assertEquals(about({}, "the index is not calibrated"), "the index is not calibrated");
  });

  it("says that stops are part of the rest if only monthly energies are known", () => {
    const deviation = {
      ...deviate({ rest: -200 }),
      stops: null,
      stops_low: null,
      stops_high: null,
    };
    assertStringIncludes(buildVerdict(deviation, {}).text, "stops or other causes cost ");
  });

  it("sums turbines in one wind: errors of the wind in full, of stops as roots of sums of squares", () => {
    const one = buildVerdict(deviate({ wind: -60, stops: -30, rest: 5 }), {});
    const fleet = sumVerdicts([one, one], [1, 1]);
    assertEquals([fleet.produced, fleet.normal, fleet.wind, fleet.wind_low], [
      1830,
      2000,
      -120,
      -200,
    ]);
    assertAlmostEquals(fleet.stops! - fleet.stops_low!, Math.hypot(9, 9), 1e-9);
    assertAlmostEquals(fleet.rest_high! - fleet.rest!, Math.hypot(80, 9, 9), 1e-9);
    const { produced, normal, wind, stops, limited, rest } = fleet;
    assertAlmostEquals(normal! + wind! + stops! + limited! + rest!, produced!, 1e-9);
  });

  it("scales to the turbines of an entry, or to a share, with the same verdict", () => {
    const one = buildVerdict(deviate({ stops: -214, wind: 3 }), { note: "Stops: Gearbox." });
    const ten = scaleVerdict(one, 10);
    assertEquals([ten.produced, ten.stops_low, ten.verdict], [7890, -2230, "stops"]);
    assertMatch(ten.text, /stops cost 2,140 MWh .*Stops: Gearbox\.$/);
    assertEquals(
      scaleVerdict(ten, 0.1).deviation_share!.toFixed(9),
      one.deviation_share!.toFixed(9),
    );
  });
});

describe("the verdict with a useless calibration", () => {
  const details = {
    calibration_verdict: "useless",
    calibration_reason: "its hours have a correlation of 0.10 with the model",
  };
  const about = explainUseless(details)!;

  it("SI7 is not possible, and the text says so first, also without production", () => {
    const start =
      "Cannot tell wind from turbine: the modelled wind does not explain the production (its hours have a correlation of 0.10 with the model).";
    const stopped = buildVerdict(deviate({ stops: -214 }), about);
    assertEquals(stopped.verdict, "cannot be told");
    assertEquals(stopped.text.indexOf(start), 0);
    const period = { period: "2024-03", normal: 1000, reference_from: 2005, reference_to: 2024 };
    const wind = judgeByIndex({ ...period, predicted: 900, low: 860, high: 940 }, about);
    assertEquals(wind.text.indexOf(start), 0);
    assertEquals(scaleVerdict(wind, 3).text.indexOf(start), 0);
  });

  it("SI7 applies to a fleet only if most of its energy has such turbines", () => {
    const useless = buildVerdict(deviate({ wind: -300 }), about);
    const sound = buildVerdict(deviate({ wind: -300 }), {});
    assertEquals(sumVerdicts([useless, sound, sound], [1, 1, 1]).verdict, "wind");
    const most = sumVerdicts([useless, useless, sound], [1, 1, 1]);
    assertEquals(most.verdict, "cannot be told");
    assertMatch(
      most.text,
      /^Cannot tell wind from turbine: most of the energy comes from turbines/,
    );
    // A sum of sums still has it.
    assertEquals(sumVerdicts([most], [3]).verdict, "cannot be told");
  });

  it("has no reason if calibrations are poor, or the service does not judge them", () => {
    assertEquals(explainUseless({ ...details, calibration_verdict: "poor" }), null);
    assertEquals(explainUseless({}), null);
  });
});
