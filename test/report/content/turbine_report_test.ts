import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  describeCalibration,
  readReferenceYears,
} from "../../../src/report/content/turbine_report.ts";
import type { TurbineReport } from "../../../src/report/mod.ts";
import { buildReport, extractText, turbine } from "../_report.ts";

/** The service's report on a turbine, with the fields that the pages show. */
function service(
  [first, last]: readonly [number, number],
  calibration: Record<string, unknown> = {},
): TurbineReport["service"] {
  return {
    reference_period: { first_year: first, last_year: last },
    calibration: {
      periods: 12,
      hours: 8470,
      training_start: "2018-01-01",
      training_end: "2018-12-31",
      unseen_error: 4.04,
      unseen_error_counted: 4.04,
      unseen_outages: 0,
      ...calibration,
    },
  } as TurbineReport["service"];
}

/** A turbine of the tests with its service's report on the model. */
const modelled = (id: string, years: readonly [number, number]) => ({
  ...turbine({ turbine_id: id }),
  service: service(years),
});

describe("the reference period in a report", () => {
  it("W2: is in the summary of fleet and turbine, and below the title of their charts", async () => {
    const files = await buildReport([modelled("W1", [2004, 2023]), modelled("W2", [2004, 2023])]);
    for (const name of ["index", "turbines/W1"]) {
      const line = "100 % = mean of 2004 to 2023 (20 years)";
      const page = files[`${name}.html`];
      assertStringIncludes(page.slice(0, page.indexOf("</header>")), line);
      assertStringIncludes(page.slice(page.indexOf("<svg")), "mean of 2004 to 2023");
      assertStringIncludes(files[`${name}.md`], "mean of 2004 to 2023 (20 years)");
      assertEquals(JSON.parse(files[`${name}.json`]).reference_years, [2004, 2023]);
      assertEquals(page.includes("A reliable normal needs ten"), false);
    }
  });

  it("W2: gives a warning on every page if it is shorter than ten years", async () => {
    const files = await buildReport([modelled("W1", [2018, 2020])]);
    for (const name of ["index", "turbines/W1"]) {
      assertMatch(
        files[`${name}.md`],
        /the mean of only 3 years. A reliable normal needs ten/,
      );
    }
  });

  it("W2: that differs between turbines is a note on the fleet's page, and each turbine's page names its own", async () => {
    const files = await buildReport([modelled("W1", [2004, 2023]), modelled("W2", [2009, 2023])]);
    assertStringIncludes(
      files["index.md"],
      "The reference period (100 %) differs between turbines",
    );
    assertEquals(files["index.md"].includes("mean of 2004"), false);
    assertStringIncludes(files["turbines/W2.md"], "mean of 2009 to 2023");
  });

  it("is left out if the service does not report it", async () => {
    const files = await buildReport([turbine({ turbine_id: "W1" })]);
    assertEquals(files["index.md"].includes("100 % = "), false);
    const other = { ...turbine(), service: { anything: "else" } } as TurbineReport;
    assertEquals([readReferenceYears(other), describeCalibration(other)], [undefined, []]);
  });
});

describe("describeCalibration()", () => {
  const of = (calibration: Record<string, unknown>) =>
    describeCalibration({ ...turbine(), service: service([2004, 2023], calibration)! });

  it("W3: names the calibration data of the model and its accuracy on unseen data", () => {
    assertEquals(of({}), [
      "The model was calibrated on 12 periods of production with 8,470 valid hours, 2018-01-01 to 2018-12-31. " +
      "An unseen period typically differs from its prediction by 4.0 %.",
    ]);
  });

  it("W3: separates outages, which are not errors of the model", () => {
    const [text] = of({
      periods: 2,
      unseen_error: 26.02,
      unseen_error_counted: 2.1,
      unseen_outages: 2,
    });
    assertMatch(
      text,
      /by 2\.1 %\. 2 more periods were left out because of outages\. With them, the difference is 26\.0 %\.$/,
    );
  });

  it("reports too few periods as inconclusive, and says why nothing is known", () => {
    assertMatch(
      of({ unseen_error: null, unseen_error_counted: null })[0],
      /There are too few periods/,
    );
    const [text] = describeCalibration({ ...turbine(), service: "Not Found." });
    assertMatch(text, /are unknown: Not Found\.$/);
  });
});

describe("the verdict on a calibration in a report", () => {
  const judged = (verdict: string, id = "W1") => ({
    ...modelled(id, [2004, 2023]),
    ...turbine({
      turbine_id: id,
      name: id,
      calibration_verdict: verdict,
      calibration_reason: "its hours have a correlation of 0.10 with the model",
    }),
    service: service([2004, 2023]),
  });

  it("SI7: is in the name, the first sentence and the sums of the fleet if it is useless", async () => {
    const files = await buildReport([judged("useless"), judged("good", "W2")]);
    const page = files["turbines/W1.md"];
    assertMatch(page, /^# .*W1 \(useless calibration\)/m);
    const text = extractText(files["turbines/W1.html"]);
    const [first, figure] = [
      "Cannot tell wind from turbine: the modelled wind does not explain",
      "% of the",
    ]
      .map((part) => text.indexOf(part));
    assertEquals([first > 0, first < figure], [true, true]);
    assertStringIncludes(
      files["index.md"],
      "The calibration of 1 turbine is useless, so this part of the sums is useless, too.",
    );
    assertEquals(files["turbines/W2.md"].includes("useless"), false);
  });

  it("SI7: is a sentence with its reason if it is fair or poor, and absent if it is good", async () => {
    const files = await buildReport([judged("poor"), judged("good", "W2")]);
    assertStringIncludes(
      files["turbines/W1.md"],
      "Its calibration is poor: its hours have a correlation of 0.10 with the model.",
    );
    assertEquals(files["turbines/W2.md"].includes("Its calibration is"), false);
  });
});
