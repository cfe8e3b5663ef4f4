/**
 * What the page of the engine says, beside the figures that it shows.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LearningTurbine, type Settings } from "../../site/learn/model.ts";

const page = (await Deno.readTextFile(new URL("../../site/learn/learn.html", import.meta.url)))
  .replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

const share = <T>(values: readonly T[], holds: (value: T) => boolean) =>
  values.filter(holds).length / values.length;

describe("the page in which the engine runs", () => {
  const model = new LearningTurbine();
  const start = model.start();
  const compute = (settings: Partial<Settings>) => model.compute({ ...start, ...settings });
  const indexOf = (settings: Partial<Settings>) =>
    compute(settings).months.map(({ month_index }) => month_index!);
  const atStart = compute({});
  const usual = indexOf({});

  it("AN10 says what the two indices of a month divide by, and when they are high", () => {
    assertMatch(page, /monthly index divides by a twelfth of the normal year/);
    assertMatch(page, /abnormality divides by the same month of a normal year/);
    for (const { month, predicted_production, ...indices } of atStart.months) {
      const { year, months } = atStart.normals;
      const percent = (normal: number) => 100_000 * predicted_production! / normal;
      assert(Math.abs(indices.month_index! - percent(year / 12)) < 1e-9);
      assert(Math.abs(indices.month_abnormality_index! - percent(months[month - 1])) < 1e-9);
    }
    assertMatch(page, /Winter is mostly above 100 %, summer below\./);
    const ofSeason = (season: readonly number[]) =>
      atStart.months.filter(({ month }) => season.includes(month)).map((each) => each.month_index!);
    assert(share(ofSeason([12, 1, 2]), (index) => index > 100) > 0.9);
    assert(share(ofSeason([6, 7, 8]), (index) => index < 100) > 0.9);
  });

  it("AN10 is right about a lower k", () => {
    const k = 0.9 * start.k;
    assert(compute({ k }).normals.year < 0.9 * atStart.normals.year);
    const lower = indexOf({ k });
    assert(spread(lower) > 1.05 * spread(usual));
    assertMatch(page, /most windy ones rise and nearly all calm ones fall/);
    const pairs = usual.map((index, i) => [index, lower[i]]);
    assert(share(pairs.filter(([index]) => index > 110), ([index, now]) => now > index) > 0.75);
    assert(share(pairs.filter(([index]) => index < 90), ([index, now]) => now < index) > 0.95);
  });

  it("AN10 is right about another hub height, which k absorbs", () => {
    const high = { ...start, hubHeight: 2 * start.hubHeight };
    const fitted = { ...high, ...model.fit(high) };
    assert(fitted.k < start.k);
    indexOf(fitted).forEach((value, i) => assert(Math.abs(value - usual[i]) < 2.5));
  });

  it("AN10 is right about thin air, for stall and for pitch", () => {
    const thin = indexOf({ density: 0.8 });
    thin.forEach((value, i) => assert(Math.abs(value - usual[i]) < 0.05));
    const pitch = { powerControl: "pcPitch" } as const;
    const usualPitch = indexOf(pitch);
    assert(
      spread(indexOf({ ...pitch, density: 0.8 }).map((value, i) => value - usualPitch[i])) > 5,
    );
  });

  it("AN10 gives the figures of 2019 to 2023 as the reference period", () => {
    const [, all, march, december] =
      /monthly index falls by ([\d.]+) %.* ([\d.]+) % in March and rises by ([\d.]+) % in December/
        .exec(page)!;
    const windy = compute({ from: 2019, to: 2023 });
    const changes = windy.months.map((now, i) => {
      const before = atStart.months[i];
      const percent = (name: "month_index" | "month_abnormality_index") =>
        100 * (now[name]! / before[name]! - 1);
      return {
        month: now.month,
        index: percent("month_index"),
        abnormality: percent("month_abnormality_index"),
      };
    });
    assert(
      spread(changes.map(({ index }) => index)) < 1e-9,
      "every monthly index by the same share",
    );
    assertEquals(-changes[0].index.toFixed(1), Number(all));
    const ofMonth = (month: number) => {
      const abnormalities = changes.filter((each) => each.month === month).map((each) =>
        each.abnormality
      );
      assert(spread(abnormalities) < 1e-9, "each month of the calendar by a share of its own");
      return Number(abnormalities[0].toFixed(1));
    };
    assertEquals([ofMonth(3), ofMonth(12)], [-Number(march), Number(december)]);
  });
});
