/**
 * The figures on a card: the last index in large, those that go with it, and those of the chart as a table.
 *
 * @module
 */
import { element } from "./dom.js";
import { figure } from "./figures.js";
import { formatMonth, formatNormal } from "./months.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */
/** @typedef {import("../start_contract.ts").StartColumn} StartColumn */
/** @typedef {import("./months.js").Month} Month */

/**
 * A month against its season, in large.
 *
 * @param {Month} month
 */
export function buildHeadline(month) {
  const mark = month.preliminary ? [" ", element("span", { class: "mark" }, "preliminary")] : [];
  return element(
    "p",
    { class: "headline" },
    element("strong", {}, figure(month.abnormality)),
    element("span", {}, `of ${formatNormal(month)}, in ${month.year}`, ...mark),
  );
}

/**
 * The other figures of a month.
 *
 * @param {Month} month
 * @param {StartContract} contract
 */
export function buildFigureList(
  { last12, index, production, low, high },
  { months: columns },
) {
  /**
   * @param {string} label
   * @param {string} shown
   */
  const entry = (label, shown) =>
    element("div", {}, element("dt", {}, label), element("dd", {}, shown));
  const { unit, label } = columns.predicted_production;
  const interval = low === null || high === null
    ? "not known"
    : `${figure(low, "").trim()} to ${figure(high, unit)}`;
  return element(
    "dl",
    {},
    entry(columns.last12_month_index.label, figure(last12)),
    entry(columns.month_index.label, figure(index)),
    entry(label, figure(production, unit)),
    entry("its 90\u00a0% interval", interval),
  );
}

/**
 * @param {readonly Month[]} months
 * @param {StartContract} contract
 */
function table(months, { months: columns }) {
  const shown = [
    "Month",
    columns.month_abnormality_index.label,
    columns.last12_month_index.label,
    columns.month_index.label,
  ];
  const rows = months.toReversed().map((month) => {
    const name = formatMonth(month) + (month.preliminary ? " (preliminary)" : "");
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, figure(month.abnormality)),
      element("td", {}, figure(month.last12)),
      element("td", {}, figure(month.index)),
    );
  });
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element("tr", {}, ...shown.map((label) => element("th", { scope: "col" }, label))),
    ),
    element("tbody", {}, ...rows),
  );
}

/**
 * The figures of a chart as a table, built when it is opened.
 *
 * @param {readonly Month[]} months
 * @param {StartContract} contract
 * @param {string} name Name of the turbine
 */
export function buildFigureTable(months, contract, name) {
  const what = `Figures of the chart of ${name}`;
  const box = element("details", {}, element("summary", { "aria-label": what }, "Figures"));
  box.addEventListener("toggle", () => {
    if (box.childElementCount === 1) box.append(table(months, contract));
  });
  return box;
}
