/**
 * Shows Swagger UI on the operations of this page's groups.
 *
 * @module
 */

import { isSignedIn } from "./session.js";

/** The part of the document that the page reads. @typedef {{ paths: Record<string, { get: { tags: string[], deprecated: boolean } }>, tags: { name: string }[] }} OpenApiDocument */

/**
 * Selects the part of a document that a page shows. The server is the origin of the page, whatever address a
 * proxy uses, so the key goes nowhere else.
 *
 * @param {OpenApiDocument} whole
 * @param {readonly string[]} groups
 * @param {string} prefix Prefix of each path
 */
function selectGroups(whole, groups, prefix) {
  const paths = Object.entries(whole.paths)
    .filter(([, { get }]) => get.tags.some((tag) => groups.includes(tag)));
  const all = paths.every(([, { get }]) => get.deprecated);
  return {
    ...whole,
    servers: [{ url: location.origin + prefix }],
    tags: whole.tags.filter(({ name }) => groups.includes(name)),
    paths: Object.fromEntries(paths.map(([path, { get }]) => [path, { get: shorten(get, all) }])),
  };
}

/**
 * Reduces errors to their meaning: all have the same body, which the page describes. If all operations are deprecated,
 * removes the mark.
 *
 * @param {any} operation
 * @param {boolean} allDeprecated
 */
function shorten(operation, allDeprecated) {
  /** @type {Record<string, any>} */
  const responses = {};
  for (const [status, { description, ...answer }] of Object.entries(operation.responses)) {
    const { links: _, ...own } = answer;
    responses[status] = status.startsWith("2") ? { description, ...own } : { description };
  }
  return { ...operation, responses, deprecated: operation.deprecated && !allDeprecated };
}

/** The summary of an operation is a button, which must not contain a link. @param {any} system */
const withoutNestedLinks = (system) => ({
  wrapComponents: {
    DeepLink: () => (/** @type {{ text: string }} */ { text }) =>
      system.React.createElement("span", {}, text),
  },
});

/** Marks the root element if Swagger UI is to be dark. */
function followColours() {
  const dark = matchMedia("screen and (prefers-color-scheme: dark)"); // paper is light
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

async function show() {
  const place = /** @type {HTMLElement} */ (document.querySelector("#operations"));
  const answer = await fetch(/** @type {string} */ (place.dataset.document));
  if (!answer.ok) {
    place.textContent =
      `Cannot load the description of the operations (status ${answer.status}). Reload the page.`;
    return;
  }
  const { groups = "", prefix = "" } = place.dataset;
  // @ts-ignore: the package's script defines it
  globalThis.SwaggerUIBundle({
    domNode: place,
    spec: selectGroups(await answer.json(), groups.split(" "), prefix),
    plugins: [withoutNestedLinks],
    docExpansion: "list",
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    persistAuthorization: false, // the key is stored by this page only, and only while it is open
    validatorUrl: null, // no external validator
    syntaxHighlight: false, // its colours are styles in the markup, which the content policy forbids
  });
}

/** Explains how requests of this page get access. */
async function showSession() {
  const signedIn = await isSignedIn();
  document.querySelector("#signed-in")?.toggleAttribute("hidden", !signedIn);
  document.querySelector("#signed-out")?.toggleAttribute("hidden", signedIn);
}

followColours();
await Promise.all([showSession(), show()]);
