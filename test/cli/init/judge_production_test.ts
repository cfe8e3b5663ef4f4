/**
 * `init` compares the shown production with rated power before it proposes yes.
 *
 * @module
 */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askProduction } from "../../../src/cli/init/ask_production.ts";
import { turbineFields } from "../../../src/cli/init/fields.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { openDialogue } from "./_dialogue.ts";

/** Capacity factors of the months of two years. */
const FACTORS = [0.5, 0.45, 0.4, 0.3, 0.28, 0.22, 0.2, 0.24, 0.3, 0.38, 0.42, 0.48];

/** Hourly shares of rated power, all values between calm and storm. */
const shares = Array.from({ length: 720 }, (_, i) => (1 + Math.sin(i / 20) + Math.sin(i / 7)) / 3)
  .map((share) => Math.max(0, Math.min(1, share)));

describe("the shown production", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const months = (unit: (month: number) => number) =>
      [2022, 2023].flatMap((year) =>
        FACTORS.map((factor, i) => {
          const hours = 24 * new Date(Date.UTC(year, i + 1, 0)).getUTCDate();
          const energy = 2300 * hours * factor * unit(12 * (year - 2022) + i);
          return `${year}-${String(i + 1).padStart(2, "0")},${energy.toFixed(3)}`;
        })
      );
    const hours = (rated: number) =>
      shares.map((share, i) =>
        `${new Date(Date.UTC(2023, 0, 1, i)).toISOString()},${(rated * share).toFixed(3)}`
      );
    const write = (name: string, rows: readonly string[]) =>
      Deno.writeTextFile(`${folder}/${name}`, ["time,Production", ...rows, ""].join("\n"));
    await write("months_kwh.csv", months(() => 1));
    await write("months_mixed.csv", months((i) => i < 4 ? 1 : 0.001));
    await write("hours_kw.csv", hours(2300));
    await write("hours_mw.csv", hours(2.3));
    await write("park.csv", hours(13 * 2300));
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Answers the questions about a file in a terminal. */
  async function ask(name: string, answers: Record<string, string | readonly string[]>) {
    const { dialogue, text, asked, find } = openDialogue({
      answers: {
        "rated power": "2300",
        "Production: a file": `${folder}/${name}`,
        "end of its period": "start",
        ...answers,
      },
    });
    const input = await find(async () => {
      await dialogue.ask(turbineFields.rated_power);
      return await askProduction(dialogue, new InputFiles());
    });
    return { entry: input?.entry, dialogue, text: text().replaceAll(/\s+/g, " "), asked };
  }

  /** Missing or wrong options without a terminal. */
  async function listMissing(name: string, options: Record<string, string[]>): Promise<string> {
    const { dialogue, find } = openDialogue({
      options: {
        production: [`${folder}/${name}`],
        "rated-power": ["2300"],
        "production-stamp": ["start"],
        ...options,
      },
      yes: true,
    });
    const ask = () =>
      find(async () => {
        await dialogue.ask(turbineFields.rated_power);
        return await askProduction(dialogue, new InputFiles());
      });
    return (await assertRejects(ask, MisuseError)).message;
  }

  for (
    const [name, wrong, right, likely] of [
      ["months_kwh.csv", "MWh", "kWh", "probably 1000 times too much, such as kWh read as MWh"],
      ["hours_kw.csv", "MW", "kW", "probably 1000 times too much, such as kWh read as MWh"],
      ["hours_mw.csv", "kW", "MW", "probably 1/1000 of the true value, such as MWh read as kWh"],
    ] as const
  ) {
    it(`SI9: does not accept ${name} as ${wrong}, and asks for the unit, which it shows as wrong`, async () => {
      const { entry, text } = await ask(name, {
        "unit of the production": [wrong, right],
        review: ["", "yes"], // "" accepts the proposal
      });
      assertEquals(entry?.unit, right);
      assertStringIncludes(text, likely);
      const message = await listMissing(name, { "production-unit": [wrong] });
      assertStringIncludes(message, "Compared with 2300 kW, production has a mean capacity factor");
      assertMatch(
        message,
        /--production-unit \S+: .*Check the unit, the rated power and the number/,
      );
    });
  }

  it("SI9: shows the mean as a share of rated power, and proposes yes if nothing is wrong", async () => {
    const { entry, text } = await ask("months_kwh.csv", { "unit of the production": "kWh" });
    assertEquals(entry?.unit, "kWh");
    assertMatch(text, /mean 582[.]\d MWh \(34[.]8 % of rated power\), /);
  });

  it("SI9: does not accept months with mixed units", async () => {
    const message = await listMissing("months_mixed.csv", { "production-unit": ["MWh"] });
    assertMatch(message, /--production-unit \S+: Compared with 2300 kW/);
  });

  it("SI9: accepts the total of a park with its number of units", async () => {
    const { text, dialogue, entry } = await ask("park.csv", {
      "unit of the production": "kW",
      "number of identical turbines": "13",
      review: [turbineFields.units.name, "yes"],
    });
    assertStringIncludes(text, "probably the total of about 13 units");
    assertEquals([entry?.unit, dialogue.value(turbineFields.units)], ["kW", 13]);
    assertMatch(
      await listMissing("park.csv", { "production-unit": ["MW"], units: ["13"] }),
      /--production-unit \S+: .*probably 1000 times too much/,
    );
  });
});
