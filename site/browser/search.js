/**
 * The search of the pages. It loads and indexes the texts at its first use, and needs no server.
 */
import { buildSearch } from "./search_index.js";

const root = document.documentElement.dataset.root ?? "";
const field = /** @type {HTMLInputElement} */ (document.querySelector("#search"));
const found = /** @type {HTMLElement} */ (document.querySelector("#found"));
const results = /** @type {HTMLElement} */ (document.querySelector("#results"));

/** Most results to show. */
const MOST = 20;

/** Characters around the first match. */
const EXCERPT = 160;

/** @returns {Promise<ReturnType<typeof buildSearch>>} */
function load() {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search_data.js`;
    script.onerror = reject;
    script.onload = () => {
      /** @type {[string, string, string, string][]} */
      const rows = Reflect.get(globalThis, "searchParts");
      resolve(buildSearch(rows));
    };
    document.head.append(script);
  });
}

/** @param {string} text @param {readonly string[]} terms */
function excerpt(text, terms) {
  const at = Math.max(0, text.toLowerCase().indexOf(terms[0] ?? "") - EXCERPT / 3);
  const from = at > 0 ? text.indexOf(" ", at) + 1 : 0;
  const part = text.slice(from, from + EXCERPT);
  return (from > 0 ? "… " : "") + part + (text.length > from + EXCERPT ? " …" : "");
}

/** @type {ReturnType<typeof load> | undefined} */
let loaded;

async function search() {
  const hits = (await (loaded ??= load()))(field.value);
  const asked = field.value.trim() !== "";
  found.textContent = !asked ? "" : hits.length === 0 ? "Nothing found" : `${hits.length} found`;
  results.hidden = hits.length === 0;
  results.replaceChildren(
    ...hits.slice(0, MOST).map(({ part: { address, title, heading, text }, terms }) => {
      const link = document.createElement("a");
      link.href = root + address;
      link.textContent = heading && heading !== title ? `${title}: ${heading}` : title;
      const words = document.createElement("span");
      words.textContent = excerpt(text, terms);
      const item = document.createElement("li");
      item.append(link, words);
      return item;
    }),
  );
}

field.addEventListener("input", search);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || results.hidden) return;
  results.hidden = true;
  field.focus();
});
results.addEventListener("click", () => results.hidden = true);
