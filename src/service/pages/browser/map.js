/**
 * The map: arrow keys move from mark to mark; a mark of several turbines opens a map of them.
 *
 * @module
 */

/** @type {Readonly<Record<string, number>>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The map of the turbines, and the maps of parts of them. */
export class FleetMap {
  /** @type {HTMLElement} */
  #frame;
  /** @type {HTMLElement} */
  #says;
  /** @type {HTMLElement} */
  #all;
  #whole;
  #load;

  /**
   * @param {HTMLElement} section
   * @param {{ load: (address: string, width: number) => Promise<string>, choose: (card: string) => void }} actions Loads
   * a part of the map; opens a turbine's card
   */
  constructor(section, { load, choose }) {
    const find = (
      /** @type {string} */ selector,
    ) => /** @type {HTMLElement} */ (section.querySelector(selector));
    [this.#frame, this.#says, this.#all] = [".map-frame", ".map-says", "button"].map(find);
    this.#whole = this.#frame.innerHTML;
    this.#load = load;
    this.#frame.addEventListener("click", (event) => {
      const link = /** @type {Element} */ (event.target).closest("a");
      if (!link) return;
      event.preventDefault();
      const address = String(link.getAttribute("href"));
      if (address.startsWith("#")) choose(address);
      else void this.open(address);
    });
    this.#frame.addEventListener("keydown", (event) => this.#onKey(event));
    for (const kind of ["focusin", "pointerover"]) {
      this.#frame.addEventListener(kind, ({ target }) => {
        const label = /** @type {Element} */ (target).closest("a")?.getAttribute("aria-label");
        if (label) this.#says.textContent = label;
      });
    }
    this.#all.addEventListener("click", () => this.#showAll());
    this.#show(this.#whole);
  }

  /** Width of the map, px. */
  get width() {
    return this.#frame.clientWidth;
  }

  /**
   * Opens the map of a part of the turbines, with the focus on a mark.
   *
   * @param {string} address
   */
  async open(address) {
    try {
      this.#show(await this.#load(address, this.width));
      this.#all.hidden = false;
      this.#focus(0);
    } catch (error) {
      this.#says.textContent = /** @type {Error} */ (error).message;
    }
  }

  #showAll() {
    this.#show(this.#whole);
    this.#all.hidden = true;
    this.#focus(0);
  }

  /** @param {string} picture */
  #show(picture) {
    this.#frame.innerHTML = picture;
    this.#links().forEach((link, i) => link.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  }

  #links() {
    return [...this.#frame.querySelectorAll("a")];
  }

  /** @param {number} at */
  #focus(at) {
    const links = this.#links();
    for (const link of links) link.setAttribute("tabindex", link === links[at] ? "0" : "-1");
    links[at]?.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const links = this.#links();
    const at = links.findIndex((link) => link === document.activeElement);
    if (event.key === "Escape" && !this.#all.hidden) this.#showAll();
    else if (event.key in STEPS) {
      this.#focus((at + STEPS[event.key] + links.length) % links.length);
    } else if (event.key === "Home") this.#focus(0);
    else if (event.key === "End") this.#focus(links.length - 1);
    else return;
    event.preventDefault();
  }
}
