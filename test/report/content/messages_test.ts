/**
 * All texts of the reports are in one table; other files only contain markup, names and error messages.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findCompletePeriods } from "../../../src/report/content/months.ts";
import { messages } from "../../../src/report/content/messages.ts";

const FOLDER = new URL("../../../src/report/", import.meta.url);

/** The literals of a source; gaps of templates are read as separate code. */
function literalsIn(source: string): string[] {
  const literals: string[] = [];
  let i = 0;
  const code = (end: string): void => {
    let before = "";
    for (; i < source.length && source[i] !== end; i++) {
      const c = source[i];
      if (source.startsWith("//", i)) i = source.indexOf("\n", i);
      else if (source.startsWith("/*", i)) i = source.indexOf("*/", i) + 1;
      else if (c === "/" && /[(,=:[&|?{;]/.test(before)) {
        i += /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(source.slice(i))![0].length - 1;
      } else if (c === '"') {
        const [text] = /^"(?:[^"\\\n]|\\.)*"/.exec(source.slice(i))!;
        literals.push(text.slice(1, -1));
        i += text.length - 1;
      } else if (c === "`") template();
      else if (c === "{") {
        i++;
        code("}");
      }
      if (!/\s/.test(c)) before = c;
    }
  };
  const template = (): void => {
    let text = "";
    for (i++; source[i] !== "`"; i++) {
      if (source[i] === "\\") text += source[++i];
      else if (source.startsWith("${", i)) {
        i += 2;
        code("}");
        text += "\u0000";
      } else text += source[i];
    }
    literals.push(text);
  };
  code("");
  return literals;
}

/** Texts of a source that readers would see: literals without imports, errors, tags and gaps. */
function wordsIn(source: string): string[] {
  const seen = source.replace(/^(import|export) [^;]*?from "[^"]*";$/gm, "")
    .replace(/throw new \w*Error\([^]*?\);\n/g, "")
    .replace(/declareOptions<\w+>\(\)\([^]*?\);\n/g, ""); // names of options
  return literalsIn(seen).map((text) => text.replace(/<[^>]*>/g, " "))
    .filter((text) => /\p{L}{2,} \p{L}{2,}|(^|\s)\p{Lu}\p{Ll}{2,}/u.test(text));
}

/** Not for readers: policies, formats and names in a workbook, paper, and paths of browsers. */
const NOT_SHOWN = [
  /^default-src|^base-uri/,
  /^(Calibri|General|mmm yyyy|Print_Area|Print_Titles|Vindkit|Letter)$/,
  /^chromium |^\/Applications\/|^C:\\/,
];

/** Names of the report sources, with their folders. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, FOLDER))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
}

describe("the texts of the reports", () => {
  it("are in one table: no other file has a sentence or a label", async () => {
    const strays: string[] = [];
    for (const name of filesBelow("")) {
      if (/^content\/(messages|phrases)\.ts$|^writers\/styles\.ts$/.test(name)) continue;
      for (const text of wordsIn(await Deno.readTextFile(new URL(name, FOLDER)))) {
        if (!NOT_SHOWN.some((pattern) => pattern.test(text))) {
          strays.push(`${name}: ${text.trim()}`);
        }
      }
    }
    assertEquals(strays, []);
  });

  it("would be found in other files", () => {
    assertEquals(wordsIn('const a = "a sentence here";').length, 1);
    assertEquals(wordsIn("const a = markup`<p>${b} Some words</p>`;").length, 1);
    assertEquals(wordsIn('/** A comment here. */ const a = "class-name";').length, 0);
  });

  it("are all plain: no contractions, no exclamation marks, and each sentence ends with a period", () => {
    const texts: string[] = [];
    const { turbine, fleet, missing, changes, owner, reference } = messages;
    const energy = { predicted_production: 1234.5, month: "2023-05" };
    const interval = { predicted_production_low: 1100, predicted_production_high: 1300 };
    const none = { predicted_production_low: null, predicted_production_high: null };
    texts.push(
      turbine.month_index("2023-05", 98.4, 80),
      turbine.month_index("2023-05", 98.4, null),
      turbine.month_abnormality_index("2023-05", 80),
      turbine.last12_month_index("2023-05", 111),
      turbine.last_full_quarter_index("2023-01", "2023-03", 100),
      turbine.last_full_year_index(2022, 104),
      turbine.predicted_production(1234.5, { ...energy, ...interval }),
      turbine.predicted_production(1234.5, { ...energy, ...none }),
      turbine.produced(90, 100, 0.99),
      turbine.produced(110, 100, null),
      fleet.without(Array.from({ length: 12 }, (_, i) => `T${i}`)),
      fleet.wind("2023-05", 27, { units: 26, ...energy, ...none }),
      fleet.sums,
      missing.month("2023-05", 0.4),
      missing.year(2022, null),
      missing.quarter("2023-01", "2023-03", "2023-05"),
      missing.notCompared("it covers other months."),
      fleet.fewer([{ what: "Last full year index", units: 1 }]),
      fleet.normal("2023-05", 93.4),
      fleet.year("2023-05", 93.4),
      fleet.lost,
      fleet.interval,
      fleet.noProduction,
      messages.because(messages.cannotTell, `${missing.production("2023-05", "2023-04")}.`),
      messages.because(messages.cannotTell, `${missing.annual}.`),
      missing.notCompared(missing.annual),
      missing.comparison,
      changes.none(3.2),
      owner.note,
      owner.energies({ owner: "A", ...energy, ...interval }, 1),
      reference.short(3),
      messages.verdict,
      messages.comparison,
      messages.missingValue,
    );
    for (const text of texts) {
      assert(/\.$/.test(text), text);
      assert(!/\w'(t|re|ll|ve)\b|!/.test(text), text);
      assert(!/undefined|NaN|null|\$\{/.test(text), text);
    }
    assertEquals(
      turbine.produced(110, 100, null),
      "The turbine produced 110.0 % of the 100.0 MWh that the model predicts.",
    );
    assertEquals(
      texts[10],
      "Without figures: T0, T1, T2, T3, T4, T5, T6, T7, T8, T9 and 2 more.",
    );
  });

  it("describe a month by its distance from normal", () => {
    const word = (value: number) =>
      messages.turbine.last12_month_index("2023-05", value).split(": ")[1];
    assertEquals([80, 92, 96.96, 97, 100, 103, 105, 130].map(word), [
      "much less wind than usual.",
      "less wind than usual.",
      "about as much wind as usual.", // because it is shown as 97.0 %
      "about as much wind as usual.",
      "about as much wind as usual.",
      "about as much wind as usual.",
      "more wind than usual.",
      "much more wind than usual.",
    ]);
  });
});

describe("findCompletePeriods()", () => {
  it("names the last quarter and year that are complete at the end of a month", () => {
    // By hand from SCIENCE: the last calendar quarter and year complete at that month.
    assertEquals(findCompletePeriods("2023-12"), { quarter: ["2023-10", "2023-12"], year: 2023 });
    assertEquals(findCompletePeriods("2023-11"), { quarter: ["2023-07", "2023-09"], year: 2022 });
    assertEquals(findCompletePeriods("2023-03"), { quarter: ["2023-01", "2023-03"], year: 2022 });
    assertEquals(findCompletePeriods("2023-01"), { quarter: ["2022-10", "2022-12"], year: 2022 });
  });
});
