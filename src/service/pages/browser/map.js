/**
 * The map: outlines, and a marker for each turbine. Arrow keys go from marker to marker.
 *
 * @module
 */
import { element, svg } from "./dom.js";
import { MapView } from "./map_view.js";
import { groupSpots, marker } from "./markers.js";
import { buildOutlinePath, readOutlines } from "./outlines.js";

/** @typedef {import("./turbine.js").Turbine} Turbine */
/** @typedef {import("./markers.js").PlacedTurbine} PlacedTurbine */
/** @typedef {import("./markers.js").Spot} Spot */

/** Least width of a map, deg: wide enough to recognise the region, for a part narrow enough to separate the turbines of a park. */
const MIN_WIDTH = { all: 5, part: 0.08 };

/** Distance below which turbines are at the same position on a map, deg. */
const ONE_PLACE = 1e-4;

const HINT =
  "Each figure is the latest month against a normal month of the same name. Choose a turbine to go to its card; arrow keys go from one to the next.";

/** @type {Readonly<Record<string, number>>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @param {readonly PlacedTurbine[]} turbines */
function areApart(turbines) {
  const [first, ...rest] = turbines.map(({ place }) => place);
  return rest.some(({ latitude, longitude }) =>
    Math.abs(latitude - first.latitude) + Math.abs(longitude - first.longitude) > ONE_PLACE
  );
}

/** The turbines of a licence on a map. */
export class FleetMap {
  #picture = svg("svg", { class: "outlines", "aria-hidden": true });
  #list = element("div", { class: "markers", role: "group" });
  #caption = element("p", { class: "map-says", "aria-hidden": true }, HINT);
  #all = element("button", { type: "button", class: "quiet", hidden: true }, "Show all turbines");
  #frame;
  #choose;
  /** @type {PlacedTurbine[]} */
  #turbines = [];
  /** Turbines that the map is fitted to; all where it is empty. @type {readonly PlacedTurbine[]} */
  #part = [];
  /** @type {Spot[]} */
  #spots = [];
  /** @type {ReturnType<typeof readOutlines> | undefined} */
  #outlines;
  #drawing = 0;
  #mark = "";

  /**
   * @param {HTMLElement} section Element for the map
   * @param {(turbine: Turbine) => void} choose Called with the chosen turbine
   */
  constructor(section, choose) {
    this.#choose = choose;
    this.#frame = element("div", { class: "map-frame" }, this.#picture, this.#list);
    section.replaceChildren(
      this.#frame,
      element("div", { class: "map-foot" }, this.#caption, this.#all),
    );
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
    this.#list.addEventListener("focusin", ({ target }) => this.#showCaption(target));
    this.#list.addEventListener("pointerover", ({ target }) => this.#showCaption(target));
    this.#all.addEventListener("click", () => this.#showAll());
    new ResizeObserver(() => this.#drawSoon()).observe(this.#frame);
  }

  /**
   * Fetches the outlines; without them the markers still show the relative positions.
   *
   * @param {string} address
   */
  async loadOutlines(address) {
    const answer = await fetch(address).catch(() => undefined);
    if (!answer?.ok) return;
    this.#outlines = readOutlines(await answer.json());
    this.#drawSoon();
  }

  /**
   * Shows turbines; those without a position are left out.
   *
   * @param {readonly Turbine[]} turbines
   * @param {string} mark Text in the picture itself: SYNTHETIC, or nothing
   */
  show(turbines, mark) {
    this.#turbines = turbines.filter(
      /** @returns {turbine is PlacedTurbine} */
      (turbine) => turbine.place !== null,
    );
    this.#mark = mark;
    this.#frame.hidden = this.#turbines.length === 0;
    if (this.#frame.hidden) this.#caption.textContent = "No turbine has a known position.";
    this.#drawSoon();
  }

  /**
   * Brings a turbine into the middle, and the focus to its marker.
   *
   * @param {Turbine} turbine
   */
  find(turbine) {
    this.#part = this.#turbines.filter(({ id }) => id === turbine.id);
    this.#draw(MIN_WIDTH.all);
    const at = this.#spots.findIndex(({ turbines }) =>
      turbines.some(({ id }) => id === turbine.id)
    );
    this.#focus(at);
  }

  #showAll() {
    this.#part = [];
    this.#draw();
    this.#focus(0);
  }

  /** Draws once before the next frame, however often it is called. */
  #drawSoon() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  /** @param {number} [least] */
  #draw(least = this.#part.length > 0 ? MIN_WIDTH.part : MIN_WIDTH.all) {
    const size = { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
    if (this.#turbines.length === 0 || size.width === 0) return;
    const shown = this.#part.length > 0 ? this.#part : this.#turbines;
    this.#frame.style.setProperty("--aspect", String(size.width / size.height)); // for paper
    const view = new MapView(shown.map(({ place }) => place), size, least);
    this.#drawPicture(view);
    this.#drawMarkers(view);
    this.#all.hidden = this.#part.length === 0;
  }

  /** @param {MapView} view */
  #drawPicture(view) {
    const { width, height } = view.size;
    const { kilometres, pixels } = view.scaleBar(width / 4);
    const [right, y] = [width - 14, height - 14];
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#picture.replaceChildren(
      svg("path", { class: "land", d: buildOutlinePath(this.#outlines?.land ?? [], view, true) }),
      svg("path", {
        class: "border",
        d: buildOutlinePath(this.#outlines?.borders ?? [], view, false),
      }),
      ...this.#turbines.map(({ place }) => {
        const { x, y } = view.point(place);
        return svg("circle", { class: "place", cx: x, cy: y, r: 3 });
      }),
      svg("path", { class: "scale", d: `M${right - pixels} ${y - 5}v5H${right}v-5` }),
      svg("text", { class: "scale", x: right, y: y - 9, "text-anchor": "end" }, `${kilometres} km`),
      svg("text", { class: "stamp", x: 14, y: height - 14 }, this.#mark),
    );
  }

  /** @param {MapView} view */
  #drawMarkers(view) {
    const focused = this.#buttons().indexOf(/** @type {any} */ (document.activeElement));
    this.#spots = groupSpots(this.#turbines, view).filter(({ x, y }) =>
      x > 0 && y > 0 && x < view.size.width && y < view.size.height
    );
    const buttons = this.#spots.map((spot) => {
      const button = marker(spot, view.size);
      button.addEventListener("click", () => this.#open(spot));
      return button;
    });
    this.#list.setAttribute(
      "aria-label",
      `Map of ${this.#turbines.length} turbines. ${HINT}`,
    );
    this.#list.replaceChildren(...buttons);
    if (buttons[0]) buttons[0].tabIndex = 0;
    if (focused >= 0) this.#focus(focused);
  }

  /** @returns {HTMLButtonElement[]} */
  #buttons() {
    return [...this.#list.querySelectorAll("button")];
  }

  /** @param {Spot} spot */
  #open({ turbines }) {
    if (turbines.length === 1 || !areApart(turbines)) return this.#choose(turbines[0]);
    this.#part = turbines;
    this.#draw();
    this.#focus(this.#spots.findIndex((spot) => spot.turbines.includes(turbines[0])));
  }

  /** @param {number} at */
  #focus(at) {
    const buttons = this.#buttons();
    const found = buttons[Math.max(0, Math.min(at, buttons.length - 1))];
    if (!found) return;
    for (const button of buttons) button.tabIndex = button === found ? 0 : -1;
    found.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const buttons = this.#buttons();
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    if (event.key === "Escape" && this.#part.length > 0) this.#showAll();
    else if (event.key in STEPS) {
      this.#focus((at + STEPS[event.key] + buttons.length) % buttons.length);
    } else if (event.key === "Home") this.#focus(0);
    else if (event.key === "End") this.#focus(buttons.length - 1);
    else return;
    event.preventDefault();
  }

  /** @param {EventTarget | null} target */
  #showCaption(target) {
    const says = target instanceof HTMLButtonElement && target.getAttribute("aria-label");
    if (says) this.#caption.textContent = says;
  }
}
