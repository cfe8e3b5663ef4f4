/**
 * The search of the site, asked over the index of the real pages.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { buildSearch, SYNONYMS } from "../../site/browser/search_index.js";
import { buildSite } from "../../site/build_site.ts";

const STOPS = "docs/toolbox/stops.html";
const OUTAGES = "docs/methods.html#what-is-normal-and-what-an-outage-cost";
const NORMAL_YEAR = "docs/toolbox/normal-year.html";
const LONG_TERM = "notebooks/4_long_term_production.html";

/** Pages that answer a group of synonyms, by its first term. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "dst": ["docs/site-file-fields.html#production-file", "docs/index.html#calibration"],
  "curtailment": ["docs/toolbox/what-it-cost.html", STOPS],
  "availability": [STOPS, OUTAGES, "docs/index.html#calibration"],
  "p90": [NORMAL_YEAR],
  "uncertainty": [NORMAL_YEAR],
  "mcp": [LONG_TERM],
  "aep": [NORMAL_YEAR, "docs/methods.html#a-normal-year-from-a-short-record"],
  "abnormality": ["notebooks/2_the_wind_index_explained.html#two-questions-two-figures"],
  "degradation": ["docs/methods.html#why-production-is-below-its-budget"],
  "forecast": ["docs/toolbox/coming-months.html"],
  "excel": ["docs/files.html#an-excel-file", "docs/frames.html#saveframe", "docs/owners.html"],
  "docker": ["docs/operating.html#setting-it-up"],
  "baseline": ["docs/index.html#the-six-figures"],
};

describe("AN10 the search of the site", () => {
  let folder: string;
  let search: ReturnType<typeof buildSearch>;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await buildSite(folder);
    const data = await Deno.readTextFile(`${folder}/search_data.js`);
    search = buildSearch(JSON.parse(/^window\.searchParts = (.*);$/s.exec(data.trim())![1]));
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Addresses of the first three hits. */
  const firstThree = (text: string) => search(text).slice(0, 3).map(({ part }) => part.address);

  /** Sees that a query has one of some pages among its first three hits. */
  function assertAnswered(query: string, ...pages: readonly string[]): void {
    const hits = firstThree(query);
    const answered = hits.some((address) => pages.some((page) => address.startsWith(page)));
    assert(answered, `${query}: ${hits}`);
  }

  it("AN10 finds wakes, and neither make nor take", () => {
    const hits = search("wake");
    assertEquals(hits.flatMap(({ terms }) => terms).filter((term) => !/^wakes?$/.test(term)), []);
    assertEquals(firstThree("wake").slice(0, 2).toSorted(), [
      "docs/index.html#calibration",
      "index.html#vindkit",
    ]);
  });

  for (const word of ["wake", "stop", "limit", "interval", "power", "licence"]) {
    it(`AN10 lists the exact word first: ${word}`, () => {
      const exact = search(word).map(({ part: { title, heading, text } }) =>
        new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, "iu").test(
          `${title} ${heading} ${text}`,
        )
      );
      assert(exact[0], `${word} is on no page`);
      assertEquals(exact, exact.toSorted((a, b) => Number(b) - Number(a)));
    });
  }

  it("AN10 finds other forms of a word", () => {
    for (const word of ["stop", "stops", "stopped", "available", "availability"]) {
      assertAnswered(word, STOPS);
    }
    for (const word of ["curtail", "curtailed", "curtailment"]) {
      assertAnswered(word, "docs/toolbox/what-it-cost.html#who-held-it-back");
    }
  });

  it("AN10 corrects a misspelt word, but no short one and no first letter", () => {
    assertAnswered("uncertianty", NORMAL_YEAR);
    assertAnswered("availabilty", "docs/toolbox/stops.html");
    for (const word of ["wkae", "bvailability", "zzqq"]) assertEquals(firstThree(word), [], word);
  });

  it("AN10 knows where each group of synonyms is answered", () => {
    assertEquals(Object.keys(ANSWERS), SYNONYMS.map(([first]) => first));
  });

  for (const group of SYNONYMS) {
    it(`AN10 answers ${group.join(", ")}`, () => {
      for (const term of group) assertAnswered(term, ...ANSWERS[group[0]]);
    });
  }

  it("AN10 takes synonyms among other words", () => {
    assertAnswered(
      "daylight saving in a production file",
      "docs/site-file-fields.html#production-file",
    );
    assertAnswered("cost of downtime", OUTAGES);
  });
});
