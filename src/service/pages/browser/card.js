/**
 * The card of a turbine: its facts, its last index, and its chart.
 *
 * @module
 */
import { buildFigureList, buildFigureTable, buildHeadline } from "./card_figures.js";
import { chart } from "./chart.js";
import { element } from "./dom.js";
import { findLastIndex, listLastMonths } from "./months.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */
/** @typedef {import("./turbine.js").Turbine} Turbine */

/** Months in a chart. */
const CHART_MONTHS = 36;

/** Distance from the visible part at which a chart is drawn. */
const AHEAD = "200px";

/**
 * A button with a longer label for screen readers.
 *
 * @param {string} shown
 * @param {string} label
 * @param {() => void} act
 */
function button(shown, label, act) {
  const made = element("button", { type: "button", class: "quiet", "aria-label": label }, shown);
  made.addEventListener("click", act);
  return made;
}

/** The card of one turbine. Its chart is drawn when it comes into sight: a fleet may have hundreds. */
export class Card {
  /** @type {HTMLElement} */
  element;
  #heading = element("h3", { tabindex: -1 });
  #body = element("div", { class: "card-body" });
  #contract;
  #actions;

  /**
   * @param {Turbine} turbine
   * @param {StartContract} contract
   * @param {{ find: () => void, retry: () => void }} actions What its buttons do
   */
  constructor(turbine, contract, actions) {
    this.#contract = contract;
    this.#actions = actions;
    this.element = element("article", { class: "card" }, this.#heading, this.#body);
    this.show(turbine, "");
  }

  /**
   * Shows what is known of the turbine so far.
   *
   * @param {Turbine} turbine
   * @param {string} mark Text in the chart itself: SYNTHETIC, or nothing
   */
  show(turbine, mark) {
    const { id, name, facts, loaded, problem } = turbine;
    const what = [name === id ? "" : id, facts].filter(Boolean).join(" · ");
    const figures = problem
      ? [element("p", { class: "notice" }, problem)]
      : loaded
      ? this.#figures(turbine, mark)
      : [element("p", { class: "wait" }, "Loading…")];
    this.#heading.textContent = name;
    this.element.setAttribute("aria-busy", String(!loaded));
    this.#body.replaceChildren(
      element("p", { class: "facts" }, what),
      ...figures,
      element("div", { class: "card-foot" }, ...this.#foot(turbine)),
    );
  }

  /** Brings the card into sight and the focus to it. */
  focus() {
    this.#heading.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Turbine} turbine
   * @param {string} mark
   */
  #figures({ months }, mark) {
    const last = findLastIndex(months);
    if (!last) return [element("p", { class: "notice" }, "No month has an index yet.")];
    const space = element("div", { class: "chart-space" });
    const draw = () => {
      observer.disconnect();
      removeEventListener("beforeprint", draw);
      space.replaceChildren(chart(listLastMonths(months, CHART_MONTHS), mark));
    };
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) draw();
    }, { rootMargin: AHEAD });
    observer.observe(space);
    addEventListener("beforeprint", draw); // paper shows all of them
    return [buildHeadline(last), buildFigureList(last, this.#contract), space];
  }

  /** @param {Turbine} turbine */
  #foot({ name, place, months, failed }) {
    const { find, retry } = this.#actions;
    return [
      ...(findLastIndex(months)
        ? [buildFigureTable(listLastMonths(months, CHART_MONTHS), this.#contract, name)]
        : []),
      ...(failed ? [button("Try again", `Try again: ${name}`, retry)] : []),
      ...(place ? [button("On the map", `Show ${name} on the map`, find)] : []),
    ];
  }
}
