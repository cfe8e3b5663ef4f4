/**
 * Common steps of the start-page tests.
 *
 * @module
 */
import type { Page } from "./_browser.ts";

/** True in the page when all turbines are present, on their cards and on the map; the charts follow. */
export const ALL_LOADED = `document.querySelector("#map a") && document.querySelector(".card")`;

/** True in the page when that many charts are present. */
export const chartsShown = (count: number): string =>
  `document.querySelectorAll(".chart-space svg").length >= ${count}`;

/** True in the page when it is known that the browser is not signed in, and a key is needed. */
export const FORM_SHOWN = `!document.querySelector("#access").hidden`;

/** Opens the start page and enters a key, with the keyboard only. */
export async function enterKey(page: Page, url: string, key: string): Promise<void> {
  await page.open(`${url}/`);
  await page.until(FORM_SHOWN);
  await page.tabTo(`it.id === "key"`);
  await page.type(key);
  await page.press("Enter");
}

/** Opens the start page and waits for all turbines of a key. */
export async function openFleet(page: Page, url: string, key: string): Promise<void> {
  await enterKey(page, url, key);
  await page.until(ALL_LOADED);
}

/** Requested addresses outside of this service. */
export function foreignRequests(page: Page, url: string): string[] {
  return page.requests.filter((address) => new URL(address).origin !== new URL(url).origin);
}

/** Elements that exceed the window to the right, as the first characters of their markup. */
export async function overflowing(page: Page): Promise<string[]> {
  return await page.value<string[]>(`[...document.querySelectorAll("body *")]
    .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((it) => !it.closest("svg"))
    .map((it) => it.outerHTML.slice(0, 100))`);
}

/** Texts of all elements that match. */
export async function readTexts(page: Page, selector: string): Promise<string[]> {
  return await page.value<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.textContent)`,
  );
}
