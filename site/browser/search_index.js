/**
 * The index of the pages, and its queries: exact words first, then other forms of a word, then synonyms.
 */
import MiniSearch from "minisearch";

/** @typedef {import("minisearch").Query} Query */

/** Terms with the same answers; a test checks each line. */
export const SYNONYMS = [
  ["dst", "daylight saving", "daylight", "summer time", "clock change", "clocks go back"],
  ["curtailment", "derating", "power limit", "stopped or limited", "limit of the power"],
  ["availability", "uptime", "downtime", "outage", "standstill", "stop"],
  ["p90", "p50", "p75", "exceedance"],
  ["uncertainty", "confidence", "error bar", "90 interval"],
  ["mcp", "measure correlate predict", "long term correction", "long term production"],
  ["aep", "annual energy", "normal year"],
  ["abnormality", "anomaly"],
  ["degradation", "ageing", "aging", "lasting change", "lasting loss"],
  ["forecast", "outlook", "coming months"],
  ["excel", "xlsx", "spreadsheet", "workbook"],
  ["docker", "container", "kubernetes"],
  ["baseline", "reference period"],
];

/** Weights of the other forms of a word, and of synonyms. */
const [FORM, SYNONYM] = [0.5, 0.2];

/** Pages for developers of Vindkit, and lists of names, which answer few questions. */
const BEHIND = /^(api|src|test|deploy|docs\/decisions)\/|^[A-Z]+\.html/;

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Common stem of the forms of a word: stops, stopped; curtailment, curtailed. @param {string} word */
function stem(word) {
  const long =
    /(?<=.{4})(e?ments?|ations?|at(e|es|ed|ing)|abilit(y|ies)|able|i?t(y|ies)|ions?|is)$/;
  const short = /(?<=.{3})((?<!s)s|es|e|ed|ing)$/;
  return word.replace(long.test(word) ? long : short, "").replace(/([bdgmnprt])\1$/, "$1");
}

/**
 * Indexes the parts of the pages.
 *
 * @param {readonly (readonly [address: string, title: string, heading: string, text: string])[]} rows
 */
export function buildSearch(rows) {
  const parts = rows.map(([address, title, heading, text], id) => ({
    id,
    address,
    title,
    heading,
    text,
  }));
  /** @type {Map<string, Set<string>>} Words of the pages by their stem. */
  const forms = new Map();
  const index = new MiniSearch({
    fields: ["title", "heading", "text"],
    tokenize: wordsOf,
    processTerm(word) {
      const stemmed = stem(word);
      forms.set(stemmed, (forms.get(stemmed) ?? new Set()).add(word));
      return word;
    },
    searchOptions: {
      boost: { title: 2, heading: 4 },
      processTerm: (word) => word,
    },
  });
  index.addAll(parts);
  const texts = parts.map(({ title, heading, text }) =>
    ` ${wordsOf(`${title} ${heading} ${text}`).join(" ")}`
  );

  /** @param {number} id */
  const weightOf = (id) => BEHIND.test(parts[id].address) ? 0.3 : 1;

  /** Guesses the intended word; first letters are seldom wrong. @param {string} word */
  const correct = (word) =>
    word.length < 5 ? [] : index.search(word, { fuzzy: 0.2 })
      .flatMap(({ terms }) => terms).filter((term) => term[0] === word[0]);

  /** A word as typed, as a prefix, and in its other forms. @param {string} word @returns {Query} */
  function anyForm(word) {
    const others = [...forms.get(stem(word)) ?? []].filter((form) => form !== word);
    return {
      combineWith: "OR",
      queries: [
        { queries: [word], prefix: true },
        { queries: others, boostTerm: () => FORM },
      ],
    };
  }

  /** Adjacent words, in any form. @param {string} phrase @param {number} weight @returns {Query} */
  const together = (phrase, weight) => ({
    combineWith: "AND",
    queries: phrase.split(" "),
    prefix: (word) => word.length > 3,
    boostDocument: (id) => texts[id].includes(` ${phrase}`) ? weight * weightOf(id) : 0,
  });

  /**
   * @param {string} text The typed text
   * @returns Parts, best first, with their matching words
   */
  return function search(text) {
    const typed = wordsOf(text);
    const words = [...typed];
    /** @type {Query[]} */
    const queries = [];
    for (const group of SYNONYMS) {
      for (const term of group) {
        const stems = term.split(" ").map(stem);
        const at = words.findIndex((_, i) =>
          stems.every((each, j) => each === stem(words[i + j] ?? ""))
        );
        if (at < 0) continue;
        const said = words.splice(at, stems.length);
        const others = group.filter((other) => other !== term).map((other) =>
          together(other, SYNONYM)
        );
        queries.push({
          combineWith: "OR",
          queries: [said.length > 1 ? together(term, 1) : anyForm(said[0]), ...others],
        });
        break;
      }
    }
    for (const word of words) {
      const query = anyForm(word);
      const known = index.search(query).length > 0;
      queries.push(known ? query : { combineWith: "OR", queries: correct(word) });
    }
    const phrase = ` ${typed.join(" ")}`;
    /** @param {{ terms: string[] }} hit */
    const countExact = ({ terms }) => typed.filter((word) => terms.includes(word)).length;
    return index.search({ combineWith: "AND", queries }, {
      boostDocument: (id) => (texts[id].includes(phrase) ? 2 : 1) * weightOf(id),
    }).sort((a, b) => countExact(b) - countExact(a))
      .map(({ id, terms }) => ({ part: parts[id], terms }));
  };
}
