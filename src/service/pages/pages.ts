import type { Env, Hono } from "hono";
import { html } from "hono/html";
import { KEY_HEADER, operationOf, operations } from "../../api/operations/operations.ts";
import { WORLD_HEADER } from "../../api/world.ts";
import { answerConditionally } from "../responses/http_headers.ts";
import { DOCS_PATH, FLEET_PATH, START_PATH, UI_PAGES, type UiPage } from "./addresses.ts";
import { AssetFolder, ASSETS, pageAssets } from "./assets.ts";
import { OPENAPI_PATH } from "./openapi_route.ts";
import { nameSession, type PageContext, renderPage } from "./page.ts";

/**
 * Renders the start page: the turbines of a licence on a map, with their last index and a chart each. The page contains no
 * data: its script loads them with the key that is typed in.
 */
async function renderStartPage(context: PageContext): Promise<Response> {
  const assets = context.prefix + await pageAssets.address();
  return await renderPage(context, {
    path: START_PATH,
    title: "Turbines",
    head: html`
      <link rel="stylesheet" href="${assets}start.css">
      <link rel="stylesheet" href="${assets}charts.css">
      <script src="${assets}start.js" type="module"></script>
    `,
    main: html`
      <h1>The wind of your turbines</h1>
      <noscript><p class="notice">This page needs JavaScript to load the figures of your licence with your key.
      The API works without this page.</p></noscript>
      <form id="access" ${nameSession(context)} ${context.signIn ? html`hidden` : ""}>
        <p
          class="lead">The turbines of a licence are private. Enter the key of your licence to see how windy
          the last months were at each turbine.</p>
        <div class="field">
          <label for="key">Key</label>
          <input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false"
            required aria-describedby="key-help key-problem">
          <button type="submit">Show turbines</button>
        </div>
        <p id="key-problem" class="problem" role="alert"></p>
        <p id="key-help"
          class="help">This page sends the key only to this service, and forgets it when you close or reload
          the page. No key yet? Ask the operator of this service.</p>
      </form>
      <div id="progress" class="progress" role="status"></div>
      <div id="shown" hidden data-fleet="${context
        .prefix}${FLEET_PATH}" data-key-header="${KEY_HEADER}"
        data-world-header="${WORLD_HEADER}">
        <button type="button" id="forget" class="quiet">Forget the key</button>
        <div id="fleet"></div>
      </div>
    `,
  });
}

/** Swagger UI from its package, read when a page with it is opened. */
const swaggerAssets: AssetFolder = new AssetFolder("swagger-ui", async () => {
  const [script, style] = await Promise.all([
    import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } }),
    import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } }),
  ]);
  return { "swagger-ui.js": script.default, "swagger-ui.css": style.default };
});

/** Swagger UI has its icons as data in its style sheet. */
const POLICY = { "img-src": "'self' data:" };

/**
 * Renders the page on which the operations of some groups can be read and tried: Swagger UI on this service's OpenAPI document.
 */
async function renderUiPage(
  { path, title, groups }: UiPage,
  context: PageContext,
): Promise<Response> {
  const { prefix } = context;
  const assets = prefix + await pageAssets.address();
  const shown = operations.filter(({ group }) => groups.includes(group));
  const swagger = prefix + await swaggerAssets.address();
  return await renderPage(context, {
    path,
    title,
    policy: POLICY,
    head: html`
      <link rel="stylesheet" href="${swagger}swagger-ui.css">
      <link rel="stylesheet" href="${assets}ui.css">
      <script src="${swagger}swagger-ui.js" defer></script>
      <script src="${assets}ui.js" type="module"></script>
    `,
    main: html`
      <section aria-label="About this page">
        <h1>${title}</h1>
        <p class="lead"
          ${nameSession(
            context,
          )}><span id="signed-out">Enter your key with <em>Authorize</em>, open an operation and try it. The
          request goes to this service. The page forgets the key when you leave it.</span><span id="signed-in"
          hidden>You are signed in: open an operation and try it. The request goes to this service and uses
          the local licence, unless you enter another key with <em>Authorize</em>.</span>
        <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a></p>
        <p
          class="help">An error is a problem document (RFC 9457) with <code>title</code>, <code>status</code>
          and <code>detail</code>. Each operation explains its status codes.${shown
              .every(({ deprecated }) => deprecated)
            ? " The API text marks all of these operations as deprecated, but names no replacements."
            : ""}${shown.some(({ id }) => id === "order_status")
            ? html`
              To see an order as a page, open <code>${orderPath}</code> in a signed-in browser.
            `
            : ""}</p>
        <noscript><p class="notice">This page needs JavaScript. The
        <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a> has the same content.</p></noscript>
        <h2 class="operations-title">Operations</h2>
      </section>
      <div id="operations" data-document="${prefix}${OPENAPI_PATH}" data-prefix="${prefix}"
        data-groups="${groups.join(" ")}"></div>
    `,
  });
}

const { path: orderPath } = operationOf("order_status");

const folders = [pageAssets, swaggerAssets];

/**
 * Adds the pages for people: the turbines of a licence, and the operations to try. They contain no data of a
 * licence: their scripts load it from the API, with the key that is typed in.
 */
export function addPages<E extends Env>(
  app: Hono<E>,
  context: () => Promise<PageContext>,
): void {
  const add = (path: string, answer: (context: PageContext) => Promise<Response>) =>
    app.get(path, async ({ req }) => {
      return await answerConditionally(req.raw, await answer(await context()));
    });
  add(START_PATH, renderStartPage);
  for (const page of UI_PAGES) {
    add(page.path.slice(0, -1), (context) => renderUiPage(page, context));
  }
  app.get(DOCS_PATH, async (call) => call.redirect((await context()).prefix + UI_PAGES[0].path));
  app.get(`${ASSETS}/:folder/:hash/:name`, async ({ req, notFound }) => {
    for (const folder of folders) {
      const answer = await folder.answer(req.raw);
      if (answer) return answer;
    }
    return await notFound();
  });
}
