import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  compareMonths,
  findLargestChange,
  formatTurbineNews,
} from "../../../src/sites/keep/turbine_news.ts";
import type { StoredMonth } from "../../../src/sites/keep/site_record.ts";
import { month } from "../../storage/store/_records.ts";

const stored = (number: number, changes: Partial<StoredMonth> = {}): StoredMonth => ({
  ...month(number),
  ...{ revision: 1, calibration: 1, edition: 1, ...changes },
} as StoredMonth);
const raised = { month_index: 120, month_abnormality_index: 105.25, revision: 2 };
const news = (before: readonly StoredMonth[], after: readonly StoredMonth[]) => ({
  ...compareMonths(before, after),
  engine_change: null,
  production: null,
});

/** Picks one fact of each new or changed month. */
const pick = (
  { months }: ReturnType<typeof compareMonths>,
  fact: "cause" | "month",
) => months.map((one) => [one.change, one[fact]]);

describe("compareMonths()", () => {
  const causes: readonly (readonly [string, Partial<StoredMonth>, Partial<StoredMonth>, string])[] =
    [
      ["another calibration", {}, { ...raised, calibration: 2 }, "recalibrated"],
      ["another calibration and final climate", { status: "preliminary" }, {
        ...raised,
        calibration: 2,
      }, "recalibrated"],
      ["preliminary climate that became final", { status: "preliminary" }, raised, "final_climate"],
      ["preliminary climate of which some became final", { status: "preliminary" }, {
        ...raised,
        status: "preliminary",
      }, "final_climate"],
      ["final climate that was replaced", {}, raised, "replaced_climate"],
      [
        "data that are gone",
        {},
        { month_index: null, month_abnormality_index: null, revision: 2 },
        "data_gone",
      ],
    ];
  for (const [label, before, after, cause] of causes) {
    it(`names the cause of a revised month: ${label}`, () => {
      const news = compareMonths([stored(4, before)], [stored(4, after)]);
      assertEquals(pick(news, "cause"), [["revised", cause]]);
    });
  }

  it("distinguishes a new month, a month without an index before, and an unchanged one", () => {
    const empty = stored(2, { month_index: null, month_abnormality_index: null });
    const news = compareMonths(
      [stored(1), empty],
      [stored(1), stored(2, { revision: 2 }), stored(3)],
    );
    assertEquals(pick(news, "month"), [["new", "2023-02"], ["new", "2023-03"]]);
    assertEquals(news.months.map(({ cause }) => cause), ["new_month", "new_month"]);
    assertEquals(news.other_months, 0);
  });

  it("reports a month whose climate became final with the same index, and counts months that follow others", () => {
    const news = compareMonths(
      [stored(1, { status: "preliminary" }), stored(2)],
      [stored(1, { revision: 2 }), stored(2, { revision: 2, last12_month_index: 99 })],
    );
    assertEquals(pick(news, "month"), [["final", "2023-01"]]);
    assertEquals(news.other_months, 1);
  });
});

describe("findLargestChange()", () => {
  it("uses months with an index before and after, up or down", () => {
    const { months } = compareMonths(
      [stored(1), stored(2)],
      [stored(1, { ...raised, month_abnormality_index: 99 }), stored(2, raised)],
    );
    assertEquals(findLargestChange(months)?.toFixed(6), (105.25 - 102 - 1 / 7).toFixed(6));
    assertEquals(findLargestChange(compareMonths([], [stored(1)]).months), null);
  });
});

describe("formatTurbineNews()", () => {
  it("groups revised months by cause, and gives only the largest change of many", () => {
    const all = Array.from({ length: 8 }, (_, i) => i + 1);
    const after = all.map((number) => stored(number, { ...raised, calibration: 2 }));
    assertEquals(
      formatTurbineNews(news(all.map((number) => stored(number)), after)),
      "revised 8 months of 2023-01 to 2023-08 by at most 4.1 percentage points (calibrated again)",
    );
    assertEquals(
      formatTurbineNews(
        news([stored(1, { status: "preliminary" })], [stored(1, raised), stored(2)]),
      ),
      "new 2023-02 with 102.1 %; revised 2023-01 from 101.1 % to 105.3 % (preliminary climate replaced)",
    );
  });
});
