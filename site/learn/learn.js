/**
 * The page where you move the inputs of the index: turns fields into settings, and figures into table, sentence and
 * charts.
 */
import { drawBars, drawCurve } from "./charts.js";
import { LearningTurbine, YEARS } from "./model.ts";

/** @typedef {import("./model.ts").Settings} Settings */
/** @typedef {import("./model.ts").Figures} Figures */

const MONTHS = Array.from(
  { length: 12 },
  (_, i) => new Date(Date.UTC(2000, i)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/** Settings with a slider, and their decimals. */
const SLIDERS = /** @type {const} */ ({ k: 4, smoothing: 1, hubHeight: 0, density: 2 });

/** @template {HTMLElement} T @param {string} id @returns {T} */
const get = (id) => /** @type {T} */ (document.getElementById(id));

/** @param {string} id */
const select = (id) => /** @type {HTMLSelectElement} */ (get(id));

/** @param {number} value @param {number} decimals */
const format = (value, decimals) =>
  value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** @param {string} id @param {readonly (readonly [string, number])[]} options */
function fill(id, options) {
  select(id).replaceChildren(...options.map(([text, value]) => new Option(text, String(value))));
}

/**
 * Explains the two indices of a month, with the figures of the table.
 *
 * @param {Figures} figures @param {Figures["months"][number]} month @param {string} name
 */
function explain({ normals }, month, name) {
  const energy = format(month.predicted_production ?? NaN, 1);
  /** @param {string} index @param {number} normal @param {number | null} value */
  function divide(index, normal, value) {
    const megawattHours = format(normal / 1000, 1);
    const share = format(value ?? NaN, 1);
    return `${megawattHours} MWh, so the ${index} is ${energy} / ${megawattHours} = ${share} %.`;
  }
  return `In ${name} ${month.year} the wind offered ${energy} MWh. A twelfth of the normal year is ` +
    `${divide("monthly index", normals.year / 12, month.month_index)} A normal ${name} gives ` +
    divide("abnormality", normals.months[month.month - 1], month.month_abnormality_index);
}

const years = Array.from({ length: YEARS[1] - YEARS[0] + 1 }, (_, i) => YEARS[0] + i);

function run() {
  const model = new LearningTurbine();
  const start = model.start();
  const atStart = model.compute(start);
  /** @type {Settings} */
  let settings = start;
  let figures = atStart;
  let pending = false;

  for (const id of ["year", "from", "to"]) fill(id, years.map((year) => [String(year), year]));
  fill("month", MONTHS.map((name, i) => [name, i + 1]));
  // The month in the question at the top of the page: its index is nearest to 87 %.
  /** @param {{ readonly month_index: number | null }} month */
  const distance = ({ month_index }) => Math.abs((month_index ?? 0) - 87);
  const [first] = atStart.months.toSorted((a, b) => distance(a) - distance(b));
  select("year").value = String(first.year);
  select("month").value = String(first.month);

  function showFields() {
    for (const [id, decimals] of Object.entries(SLIDERS)) {
      const value = settings[/** @type {keyof typeof SLIDERS} */ (id)];
      const slider = /** @type {HTMLInputElement} */ (get(id));
      if (Math.abs(slider.valueAsNumber - value) > Number(slider.step) / 2) {
        slider.value = String(value);
      }
      const text = format(value, decimals);
      const more = id === "density" ? ` (mean ${format(figures.meanDensity, 3)} kg/m³)` : "";
      const output = /** @type {HTMLElement} */ (document.querySelector(`output[for="${id}"]`));
      output.textContent = text + more;
      slider.setAttribute("aria-valuetext", text + more);
    }
    const control = `input[value="${settings.powerControl}"]`;
    /** @type {HTMLInputElement} */ (document.querySelector(control)).checked = true;
    select("from").value = String(settings.from);
    select("to").value = String(settings.to);
  }

  function show() {
    const [year, month] = [Number(select("year").value), Number(select("month").value)];
    /** @param {Figures} of */
    const find = ({ months }) => months.find((each) => each.year === year && each.month === month);
    const [now, before] = [find(figures), find(atStart)];
    if (!now || !before) return;
    const name = `${MONTHS[month - 1]} ${year}`;
    const index = format(now.month_index ?? NaN, 1);
    get("sentence").textContent = explain(figures, now, MONTHS[month - 1]);
    get("answer").textContent = `Index of ${name}: ${index} %, at the start ` +
      `${format(before.month_index ?? NaN, 1)} %`;
    /** @type {readonly [string, string, number, number | null, number | null][]} */
    const rows = [
      ["month_index", "Monthly index, %", 1, now.month_index, before.month_index],
      [
        "month_abnormality_index",
        "Abnormality, %",
        1,
        now.month_abnormality_index,
        before.month_abnormality_index,
      ],
      [
        "last12_month_index",
        "Twelve months, %",
        1,
        now.last12_month_index,
        before.last12_month_index,
      ],
      [
        "predicted_production",
        "Energy of the month, MWh",
        1,
        now.predicted_production,
        before.predicted_production,
      ],
      [
        "normal_year",
        "Energy of the normal year, MWh",
        0,
        figures.normals.year / 1000,
        atStart.normals.year / 1000,
      ],
      [
        "modelled_share",
        "Modelled over produced energy, %",
        1,
        figures.modelledShare,
        atStart.modelledShare,
      ],
    ];
    get("figures").querySelector("tbody")?.replaceChildren(
      ...rows.map(([id, text, decimals, ...values]) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = text;
        row.append(
          head,
          ...values.map((value, i) => {
            const cell = document.createElement("td");
            cell.textContent = value === null ? "none" : format(value, decimals);
            if (i === 0) cell.id = id;
            cell.dataset.value = String(value); // unrounded, for tests
            return cell;
          }),
        );
        return row;
      }),
    );
    get("settings").dataset.settings = JSON.stringify(settings);
    drawCurve(get("curve-chart"), figures.curve, model.turbine.powerCurve);
    /** @param {Figures} of */
    const ofYear = ({ months }) =>
      months.filter((each) => each.year === year)
        .map(({ month_index }) => month_index ?? 0);
    const marks = ofYear(atStart);
    drawBars(
      get("month-chart"),
      ofYear(figures).map((value, i) => ({
        name: MONTHS[i].slice(0, 1),
        value,
        mark: marks[i],
        dark: i === month - 1,
      })),
    );
    drawBars(
      get("year-chart"),
      figures.years.map((each) => ({
        name: each.year % 5 === 0 ? String(each.year) : "",
        value: each.index,
        dark: each.year >= settings.from && each.year <= settings.to,
      })),
    );
    showFields();
  }

  function compute() {
    pending = false;
    figures = model.compute(settings);
    show();
  }

  /** @param {Partial<Settings>} change */
  function set(change) {
    settings = { ...settings, ...change };
    if (settings.from > settings.to) {
      const year = change.from ?? change.to ?? settings.to;
      settings = { ...settings, from: year, to: year };
    }
    if (!pending) requestAnimationFrame(compute); // once per frame, however fast a slider moves
    pending = true;
  }

  for (const id of Object.keys(SLIDERS)) {
    get(id).addEventListener(
      "input",
      ({ target }) => set({ [id]: /** @type {HTMLInputElement} */ (target).valueAsNumber }),
    );
  }
  for (const id of ["from", "to"]) {
    get(id).addEventListener("change", () => set({ [id]: Number(select(id).value) }));
  }
  for (const id of ["year", "month"]) get(id).addEventListener("change", show);
  for (const radio of document.querySelectorAll("input[name=powerControl]")) {
    radio.addEventListener(
      "change",
      () =>
        set({ powerControl: radio.getAttribute("value") === "pcPitch" ? "pcPitch" : "pcStall" }),
    );
  }
  get("fit").addEventListener("click", () => {
    const { k, smoothing } = model.fit(settings);
    set({ k, smoothing });
  });
  get("reset").addEventListener("click", () => set(start));
  show();
  get("state").textContent = "";
}

get("state").textContent = "Computing 21 years …";
setTimeout(run, 50); // shows the page first
