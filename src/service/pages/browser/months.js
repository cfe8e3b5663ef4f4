/**
 * Months of a turbine, from the CSV of its indices.
 *
 * @module
 */

import { RefusalError } from "./service.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */

/**
 * A month; figures are `null` where they are missing.
 *
 * @typedef {object} Month
 * @property {number} year
 * @property {number} month 1 to 12
 * @property {number | null} index %
 * @property {number | null} abnormality %
 * @property {number | null} last12 %
 * @property {number | null} production MWh
 * @property {number | null} low MWh
 * @property {number | null} high MWh
 * @property {boolean} preliminary
 */

const NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * "October 2025": unambiguous in every country.
 *
 * @param {{ year: number, month: number }} month
 */
export function formatMonth({ year, month }) {
  return `${NAMES[month - 1]} ${year}`;
}

/**
 * "a normal October": what the abnormality of a month compares it with.
 *
 * @param {{ month: number }} month
 */
export function formatNormal({ month }) {
  return `a normal ${NAMES[month - 1]}`;
}

/** @param {{ year: number, month: number }} month Counts months from the year 0. */
function position({ year, month }) {
  return 12 * year + month - 1;
}

/**
 * Reads the CSV; its fields are figures and words without quotes.
 *
 * @param {string} csv
 * @param {StartContract} contract
 * @returns {Month[]}
 * @throws {RefusalError} If a column is missing
 */
export function readMonths(csv, { months: columns, preliminary }) {
  const [header, ...lines] = csv.trimEnd().split("\n").map((line) => line.split(","));
  if (!Object.values(columns).every(({ wire }) => header.includes(wire))) {
    throw new RefusalError("unreadable");
  }
  return lines.map((fields) => {
    /** @param {keyof typeof columns} name */
    const text = (name) => fields[header.indexOf(columns[name].wire)] ?? "";
    /** @param {keyof typeof columns} name */
    const figure = (name) => text(name) === "" ? null : Number(text(name));
    return {
      year: Number(text("year")),
      month: Number(text("month")),
      index: figure("month_index"),
      abnormality: figure("month_abnormality_index"),
      last12: figure("last12_month_index"),
      production: figure("predicted_production"),
      low: figure("predicted_production_low"),
      high: figure("predicted_production_high"),
      preliminary: text("status") === preliminary,
    };
  });
}

/**
 * Finds the last month that can be compared with its season.
 *
 * @param {readonly Month[]} months
 */
export function findLastIndex(months) {
  return [...months].reverse().find(({ abnormality }) => abnormality !== null);
}

/**
 * Lists the last consecutive months; missing ones have no figures.
 *
 * @param {readonly Month[]} months
 * @param {number} count
 * @returns {Month[]}
 */
export function listLastMonths(months, count) {
  const known = new Map(months.map((month) => [position(month), month]));
  if (known.size === 0) return [];
  const last = Math.max(...known.keys());
  return Array.from({ length: count }, (_, i) => {
    const at = last - count + 1 + i;
    return known.get(at) ?? {
      year: Math.floor(at / 12),
      month: at % 12 + 1,
      index: null,
      abnormality: null,
      last12: null,
      production: null,
      low: null,
      high: null,
      preliminary: false,
    };
  });
}
