/**
 * The start page: takes the key, and shows the turbines of its licence, each with its chart as soon as it is in view.
 *
 * @module
 */
import { FleetMap } from "./map.js";
import { Service } from "./service.js";
import { isSignedIn, signOut } from "./session.js";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = byId("access");
const field = /** @type {HTMLInputElement} */ (byId("key"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const shown = byId("shown");
const fleet = byId("fleet");

/** Distance from the visible part at which a chart is loaded. */
const AHEAD = "200px";

/** Most turbines whose charts are all loaded, for printing; in larger fleets only charts in view are loaded. */
const MAX_WHOLE = 60;

/** Margins of the page, px. */
const MARGINS = 34;

/** Service that loaded the turbines shown. @type {Service | undefined} */
let service;

/** Whether the browser is signed in, so no key was typed in. */
let signedIn = false;

/** Announces a text to screen readers. @param {string} text */
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
 * Loads a chart into its place, or shows the error there.
 *
 * @param {HTMLElement} space
 * @param {Service} used
 */
async function loadChart(space, used) {
  if (space.ariaBusy) return;
  space.ariaBusy = "true";
  try {
    space.innerHTML = await used.part(String(space.dataset.part), space.clientWidth);
  } catch (error) {
    if (used.closed) return;
    const again = document.createElement("button");
    again.className = "quiet";
    again.textContent = "Try again";
    again.addEventListener("click", () => {
      space.ariaBusy = null;
      void loadChart(space, used);
    });
    space.replaceChildren(/** @type {Error} */ (error).message, " ", again);
  }
  space.ariaBusy = "false";
}

/** Loads the charts, those in view first. @param {Service} used */
async function loadCharts(used) {
  /** @type {HTMLElement[]} */
  const spaces = [...fleet.querySelectorAll(".chart-space")].map((it) => /** @type {any} */ (it));
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) void loadChart(/** @type {HTMLElement} */ (target), used);
    }
  }, { rootMargin: AHEAD });
  for (const space of spaces) observer.observe(space);
  if (spaces.length > MAX_WHOLE) return;
  for (const space of spaces) {
    if (!used.closed) await loadChart(space, used);
  }
}

/**
 * Shows the turbines of a key.
 *
 * @param {string} key Empty if the browser is signed in
 */
async function enter(key) {
  const used = new Service(shown.dataset, key);
  if (key) refuse("");
  button.disabled = true;
  say(key ? "Loading the turbines of this key …" : "Loading the turbines …");
  try {
    fleet.innerHTML = await used.part(
      String(shown.dataset.fleet),
      byId("main").clientWidth - MARGINS,
    );
  } catch (error) {
    say("");
    return refuse(/** @type {Error} */ (error).message);
  } finally {
    button.disabled = false;
  }
  service = used;
  field.value = "";
  signedIn = key === "";
  byId("forget").textContent = signedIn ? "Sign out" : "Forget the key";
  form.hidden = true;
  shown.hidden = false;
  const map = new FleetMap(byId("map"), {
    load: (address, width) => used.part(address, width),
    choose: (card) => {
      const heading = /** @type {HTMLElement} */ (fleet.querySelector(`${card} h3`));
      heading.focus({ preventScroll: true });
      heading.parentElement?.scrollIntoView({ block: "nearest" });
    },
  });
  byId("cards").addEventListener("click", ({ target }) => {
    const address = /** @type {HTMLElement} */ (target).dataset.map;
    if (address) void map.open(address);
  });
  byId("fleet-title").focus();
  say(byId("summary").textContent ?? "");
  await loadCharts(used);
}

/** Removes the turbines and the key immediately. */
async function forget() {
  service?.close();
  service = undefined;
  fleet.replaceChildren();
  shown.hidden = true;
  form.hidden = false;
  field.focus();
  if (!signedIn) return say("This page has forgotten the key.");
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
byId("forget").addEventListener("click", () => void forget());
if (await isSignedIn()) void enter("");
else form.hidden = false;
