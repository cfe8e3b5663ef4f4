import { html } from "hono/html";
import { OPENAPI_PATH } from "./openapi_route.ts";
import { LIMITS_PATH, type UiPage } from "./addresses.ts";
import { ownAssets } from "./own_assets.ts";
import { nameSession, type PageContext, renderPage } from "./page.ts";
import { swaggerAssets } from "./swagger_assets.ts";

/** Swagger UI has its icons as data in its style sheet. */
const POLICY = { "img-src": "'self' data:" };

/**
 * Renders the page on which the operations of some groups can be read and tried: Swagger UI on this service's OpenAPI document.
 */
export async function renderUiPage(
  { path, title, groups }: UiPage,
  context: PageContext,
): Promise<Response> {
  const { prefix } = context;
  const own = prefix + await ownAssets.address();
  const swagger = prefix + await swaggerAssets.address();
  return await renderPage(context, {
    path,
    title,
    policy: POLICY,
    head: html`
      <link rel="stylesheet" href="${swagger}swagger-ui.css">
      <link rel="stylesheet" href="${own}ui.css">
      <script src="${swagger}swagger-ui.js" defer></script>
      <script src="${own}ui.js" type="module"></script>
    `,
    landmark: true, // Swagger UI's
    main: html`
      <section aria-label="About this page">
        <h1>${title}</h1>
        <p class="lead" ${nameSession(context)}><span id="signed-out">Enter your key with
        <em>Authorize</em>, open an operation, and try it: the request goes to this service. The key is
        forgotten when you leave the page.</span><span id="signed-in" hidden>You are signed in: open an
        operation, and try it. The request goes to this service, with the local licence unless you enter
        another key with <em>Authorize</em>.</span>
        <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a>, <a href="${prefix}${LIMITS_PATH}">limits</a></p>
        <noscript><p class="notice">This page needs JavaScript. The
        <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a> has the same content.</p></noscript>
        <h2 class="operations-title">Operations</h2>
      </section>
      <div id="operations" data-document="${prefix}${OPENAPI_PATH}" data-prefix="${prefix}"
        data-groups="${groups.join(" ")}"></div>
    `,
  });
}
