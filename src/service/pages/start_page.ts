import { html } from "hono/html";
import { KEY_HEADER } from "../../api/operations/operations.ts";
import { WORLD_HEADER } from "../../api/world.ts";
import { FLEET_PATH, START_PATH } from "./addresses.ts";
import { ownAssets } from "./own_assets.ts";
import { nameSession, type PageContext, renderPage } from "./page.ts";

/**
 * Renders the start page: the turbines of a licence on a map, with their last index and a chart each. The page contains no
 * data: its script loads them with the key that is typed in.
 */
export async function renderStartPage(context: PageContext): Promise<Response> {
  const own = context.prefix + await ownAssets.address();
  return await renderPage(context, {
    path: START_PATH,
    title: "Turbines",
    head: html`
      <link rel="stylesheet" href="${own}start.css">
      <link rel="stylesheet" href="${own}charts.css">
      <script src="${own}start.js" type="module"></script>
    `,
    main: html`
      <h1>The wind of your turbines</h1>
      <noscript><p class="notice">This page needs JavaScript: it loads the figures of your licence
        with your key. The API works without this page.</p></noscript>
      <form id="access" ${nameSession(context)} ${context.signIn ? html`hidden` : ""}>
        <p class="lead">The turbines of a licence are private. Enter its key to see how
          windy the last months were at each of them.</p>
        <div class="field">
          <label for="key">Key</label>
          <input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false"
            required aria-describedby="key-help key-problem">
          <button type="submit">Show turbines</button>
        </div>
        <p id="key-problem" class="problem" role="alert"></p>
        <p id="key-help" class="help">The key is sent to this service only, and forgotten when you
          close or reload the page. No key yet? The operator of this service issues keys.</p>
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
