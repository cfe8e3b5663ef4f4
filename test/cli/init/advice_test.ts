/**
 * Follows advice: the test does what `init` says about a wrong or missing option, which leads to a complete site or to the
 * next correct message.
 *
 * @module
 */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askAll } from "../../../src/cli/init/init.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { makeSite } from "../../sites/_site.ts";
import { openDialogue } from "./_dialogue.ts";

/** Options by name; `undefined` leaves one out. */
type Options = Readonly<Record<string, string | undefined>>;

/** A wrong option, and the advice about it. */
interface Advice {
  readonly name: string;
  readonly wrong: Options;
  readonly message: RegExp;
  /** The options according to the message, with groups of its match. */
  follow(match: RegExpExecArray): Options;
  /** The next message. @default none: the site is complete */
  readonly ends?: RegExp;
}

describe("the advice of init", () => {
  let folder: string;
  let good: Options;

  beforeAll(async () => {
    const site = await makeSite();
    folder = site.folder;
    await site.siteFile();
    await Deno.mkdir(`${folder}/empty`);
    good = {
      name: "Hill 1",
      position: "55.6, 7.92",
      elevation: "0",
      "time-zone": "Europe/Copenhagen",
      production: `${folder}/production.csv`,
      "production-unit": "kW",
      "production-stamp": "start",
      climate: `${folder}/climate.csv`,
      "climate-position": "55.5, 8",
      "rated-power": "2300",
      "rotor-diameter": "92",
      "hub-height": "80",
      to: `${folder}/site`,
    };
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Runs the dialogue with options and --yes, as without a terminal. */
  async function ask(changes: Options) {
    const options = Object.fromEntries(
      Object.entries({ ...good, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, [value.replaceAll("DIR", folder)]]]
      ),
    );
    const { dialogue } = openDialogue({ options, yes: true });
    return await askAll(dialogue, `${folder}/data`);
  }

  const advice: readonly Advice[] = [
    {
      name: "a missing unit",
      wrong: { "production-unit": undefined },
      message: /--production-unit ([^|]+)\S*: The unit of the production/,
      follow: ([, unit]) => ({ "production-unit": unit }),
    },
    {
      name: "a unit that rated power contradicts",
      wrong: { "production-unit": "MW" },
      message: /--production-unit \S+: Compared with 2300 kW, .* such as (\w+) read as MWh/,
      follow: ([, unit]) => ({ "production-unit": unit }),
    },
    {
      name: "a rated power in MW",
      wrong: { "rated-power": "2.3" },
      message:
        /Compared with 2\.3 kW, .* Check the unit, the (rated power) and the number of units/,
      follow: () => ({ "rated-power": "2300" }),
    },
    {
      name: "a position as no one writes it",
      wrong: { position: "Hill" },
      message: /--position LAT,LON: .* Write them as 48\.45, -5\.59/,
      follow: () => ({}),
    },
    {
      name: "a lost sign",
      wrong: { position: "55.6, -7.92" },
      message: /km away, more than 50 km\. Check the signs of latitude and longitude/,
      follow: () => ({}),
    },
    {
      name: "a power curve where production is named",
      wrong: { production: "DIR/power_curve.csv" },
      message: /--production FILE: This is a power curve, not production/,
      follow: () => ({ "power-curve": "DIR/power_curve.csv" }),
    },
    {
      name: "production where a power curve is named",
      wrong: { "power-curve": "DIR/production.csv" },
      message: /--power-curve FILE: This is production, not power curve/,
      follow: () => ({ "power-curve": "DIR/power_curve.csv" }),
    },
    {
      name: "a folder without files",
      wrong: { production: "DIR/empty" },
      message: /--production FILE: "\S+" has no data files\. Give a folder or a pattern with/,
      follow: () => ({ production: "DIR/production.csv" }),
    },
    {
      name: "a file that is missing",
      wrong: { climate: "DIR/none.csv" },
      message: /--climate FILE: Cannot .*none\.csv/,
      follow: () => ({}),
    },
    {
      name: "a column that the file does not have",
      wrong: { "production-column": "kw" },
      message: /--production-column \S+: "kw" is not one of time, (power)/,
      follow: ([, column]) => ({ "production-column": column }),
    },
    {
      name: "a climate variable that is none",
      wrong: { "climate-variables": "wind_100=wind_speed_100 m/s" },
      message:
        /"wind_100" is not a climate variable\. Use wind_speed_H and wind_direction_H, .*H: height/,
      follow: () => ({
        "climate-variables":
          `wind_speed_100=wind_speed_100 m/s, wind_direction_100=wind_direction_100 deg`,
      }),
    },
    {
      name: "a climate column that the file does not have",
      wrong: { "climate-variables": "wind_speed_100=ws m/s" },
      message: /Its columns are .*, "(wind_speed_100)", "(wind_direction_100)"/,
      follow: ([, speed, direction]) => ({
        "climate-variables": `wind_speed_100=${speed} m/s, wind_direction_100=${direction} deg`,
      }),
    },
    {
      name: "a climate variable without its unit",
      wrong: { "climate-variables": "wind_speed_100=wind_speed_100" },
      message: /The unit of wind_speed_100 is missing. End with (m\/s) or/,
      follow: ([, unit]) => ({
        "climate-variables":
          `wind_speed_100=wind_speed_100 ${unit}, wind_direction_100=wind_direction_100 deg`,
      }),
    },
    {
      name: "a rotor that no such turbine has",
      wrong: { "rotor-diameter": "20" },
      message:
        /--rotor-diameter \S+: .* Correct one of them, or give the maker's power curve as --(power-curve)/,
      follow: ([, name]) => ({ "rotor-diameter": "20", [name]: "DIR/power_curve.csv" }),
    },
    {
      name: "a folder that has a site file",
      wrong: { to: "DIR" },
      message:
        /--to DIR: .*site\.json exists, and init does not overwrite files\. Give another folder/,
      follow: () => ({ to: "DIR/other" }),
    },
    {
      name: "a name without a letter",
      wrong: { name: "Ω" },
      message:
        /--name TEXT: "Ω" has no letter from a to z and no digit\. Give a name with at least one/,
      follow: () => ({ name: "Ω1" }),
    },
    {
      name: "an option that nothing asks for",
      wrong: { shear: "exponent=0.2" },
      message: /init has no question for them with these files\. Omit them:\n {2}--(shear)/,
      follow: ([, name]) => ({ [name]: undefined }),
    },
  ];
  for (const { name, wrong, message, follow, ends } of advice) {
    it(`SI4: helps with ${name}`, async () => {
      const { message: actual } = await assertRejects(() => ask(wrong), MisuseError);
      assertMatch(actual, message);
      const changes = follow(message.exec(actual)!);
      if (ends) {
        assertMatch((await assertRejects(() => ask(changes), MisuseError)).message, ends);
        return;
      }
      const { site } = await ask(changes);
      const { failures } = await importSite(site, { data: `${folder}/${crypto.randomUUID()}` });
      assertEquals(failures, []);
    });
  }
});
