/**
 * The start page: takes the key, loads the turbines of its licence, and shows them.
 *
 * @module
 */
import { Service } from "./service.js";
import { Card } from "./card.js";
import { byId } from "./dom.js";
import { describeFleet } from "./figures.js";
import { FleetMap } from "./map.js";
import { readMonths } from "./months.js";
import { isSignedIn, signOut } from "./session.js";
import { createTurbine, readDetails, readIds } from "./turbine.js";
import { describeAccessError, describeTurbineError, NOT_CALIBRATED } from "./error_messages.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */
/** @typedef {import("./turbine.js").Turbine} Turbine */

/** @type {StartContract} */
const contract = JSON.parse(byId("contract").textContent ?? "");
const form = /** @type {HTMLFormElement} */ (byId("access"));
const field = /** @type {HTMLInputElement} */ (byId("key"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const fleet = byId("fleet");
const leave = byId("forget");

/** Turbines that the page shows at most: each is two requests, and a card. */
const MAX_TURBINES = 500;

/** The fleet that is shown. @type {Fleet | undefined} */
let shown;

/** Whether it is shown to a browser that is signed in, without a key that was typed in. */
let signedIn = false;

/** The turbines of a licence on the page. */
class Fleet {
  #service;
  #turbines;
  /** @type {Map<string, Card>} */
  #cards = new Map();
  #map;

  /**
   * @param {Service} service
   * @param {readonly string[]} ids
   */
  constructor(service, ids) {
    this.#service = service;
    this.#turbines = ids.slice(0, MAX_TURBINES).map(createTurbine);
    this.#map = new FleetMap(byId("map"), ({ id }) => this.#cards.get(id)?.focus());
    for (const turbine of this.#turbines) {
      const card = new Card(turbine, contract, {
        find: () => this.#map.find(turbine),
        retry: () => this.#retry(turbine),
      });
      this.#cards.set(turbine.id, card);
    }
    byId("cards").replaceChildren(...[...this.#cards.values()].map((card) => card.element));
    const all = ids.length === 1 ? "1 turbine" : `${ids.length} turbines`;
    byId("fleet-title").textContent = ids.length > MAX_TURBINES
      ? `The first ${MAX_TURBINES} of ${all}`
      : all;
  }

  /** Loads everything; an error of a turbine is shown on its card. */
  async load() {
    void this.#map.loadOutlines(/** @type {string} */ (fleet.dataset.outlines));
    await Promise.all(this.#turbines.map((turbine) => this.#load(turbine)));
    if (!this.#service.closed) this.#sum();
  }

  /** Ends the requests under way, and empties the page. */
  close() {
    this.#service.close();
    byId("cards").replaceChildren();
    byId("map").replaceChildren();
  }

  /** @param {Turbine} turbine */
  async #load(turbine) {
    try {
      const record = await this.#service.json("turbine_details", turbine.id);
      const { ready, ...details } = readDetails(record, contract);
      Object.assign(turbine, details);
      this.#show(turbine);
      if (ready) {
        const csv = await this.#service.text("wind_indices", turbine.id);
        turbine.months = readMonths(csv, contract);
      } else turbine.problem = NOT_CALIBRATED;
    } catch (error) {
      if (this.#service.closed) return;
      turbine.problem = describeTurbineError(error);
      turbine.failed = true;
    }
    turbine.loaded = true;
    this.#show(turbine);
  }

  /** @param {Turbine} turbine */
  async #retry(turbine) {
    Object.assign(turbine, { problem: "", failed: false, loaded: false });
    this.#show(turbine);
    this.#cards.get(turbine.id)?.focus(); // the button is gone
    await this.#load(turbine);
    if (!this.#service.closed) this.#sum();
  }

  /** @param {Turbine} turbine */
  #show(turbine) {
    if (this.#service.closed) return;
    const mark = this.#service.synthetic ? contract.synthetic : "";
    this.#cards.get(turbine.id)?.show(turbine, mark);
    this.#map.show(this.#turbines, mark);
    const done = this.#turbines.filter(({ loaded }) => loaded).length;
    byId("summary").textContent = `${done} of ${this.#turbines.length} loaded …`;
  }

  /** Shows a summary in a sentence. */
  #sum() {
    const without = this.#turbines.filter(({ months }) => months.length === 0).length;
    const rest = without === 0 || without === this.#turbines.length
      ? ""
      : ` ${without} without figures: the card says why.`;
    byId("summary").textContent = describeFleet(this.#turbines.map(({ months }) => months)) + rest;
    const { attributions } = this.#service;
    byId("attribution").textContent = attributions.size > 0
      ? `Data: ${
        [...attributions].join("; ")
      }. Outlines: Natural Earth, 1:50 million; a coast may be some kilometres off.`
      : "Outlines: Natural Earth, 1:50 million; a coast may be some kilometres off.";
    say(byId("summary").textContent);
  }
}

/** Announces a text to screen readers. @param {string | null} text */
function say(text) {
  byId("progress").textContent = text;
}

/** @param {string} problem */
function refuse(problem) {
  form.hidden = false;
  byId("key-problem").textContent = problem;
  field.setAttribute("aria-invalid", String(problem !== ""));
  if (problem) field.focus();
}

/**
 * Shows the turbines of a key.
 *
 * @param {string} key Empty where the browser is signed in
 */
async function enter(key) {
  const service = new Service(contract, key);
  if (key) refuse("");
  button.disabled = true;
  say(key ? "Loading the turbines of this key …" : "Loading the turbines …");
  try {
    shown = new Fleet(service, readIds(await service.json("turbines"), contract));
  } catch (error) {
    say("");
    return refuse(describeAccessError(error));
  } finally {
    button.disabled = false;
  }
  field.value = "";
  signedIn = key === "";
  leave.textContent = signedIn ? "Sign out" : "Forget the key";
  form.hidden = true;
  fleet.hidden = false;
  byId("fleet-title").focus();
  say("Loading their figures …");
  await shown.load();
}

/** Removes the turbines at once, and the key. */
async function forget() {
  shown?.close();
  shown = undefined;
  fleet.hidden = true;
  form.hidden = false;
  field.focus();
  if (!signedIn) return say("The key is forgotten.");
  const ok = await signOut().catch(() => false);
  say(ok ? "You are signed out." : "");
  if (!ok) {
    refuse("You are still signed in: the service failed. Reload this page and sign out again.");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void enter(field.value.trim());
});
leave.addEventListener("click", () => void forget());
if (await isSignedIn()) void enter("");
else form.hidden = false;
