import { html, raw } from "hono/html";
import { mapAssets, OUTLINES_FILE } from "./map_assets.ts";
import { ownAssets } from "./own_assets.ts";
import { START_PATH } from "./addresses.ts";
import { type Html, nameSession, type PageContext, renderPage } from "./page.ts";
import { buildStartContract, type StartContract } from "./start_contract.ts";

/** Embeds JSON in a script element, which it cannot end. */
function embedJson(value: unknown): ReturnType<typeof raw> {
  return raw(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

/** What the figures on the cards mean, as the contract has it. */
function renderGlossary({ months }: StartContract): Html {
  const columns = [
    months.month_abnormality_index,
    months.last12_month_index,
    months.month_index,
    months.predicted_production,
  ];
  return html`
    <details class="glossary">
      <summary>What the figures mean</summary>
      <dl>
        ${columns.map(({ label, description }) =>
          html`
            <dt>${label}</dt>
            <dd>${description}</dd>
          `
        )}
      </dl>
    </details>
  `;
}

/**
 * Renders the start page: the turbines of a licence on a map, with their last index and a chart each. The page contains no
 * data: its script calls the API with the key that is typed in.
 */
export async function renderStartPage(context: PageContext): Promise<Response> {
  const own = context.prefix + await ownAssets.address();
  const outlines = context.prefix + await mapAssets.address() + OUTLINES_FILE;
  const contract = buildStartContract(context.prefix);
  return await renderPage(context, {
    path: START_PATH,
    title: "Turbines",
    head: html`
      <link rel="stylesheet" href="${own}start.css">
      <script src="${own}start.js" type="module"></script>
    `,
    main: html`
      <script type="application/json" id="contract">${embedJson(contract)}</script>
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
      <div id="fleet" data-outlines="${outlines}" hidden>
        <div class="fleet-head">
          <div>
            <h2 id="fleet-title" tabindex="-1"></h2>
            <p id="summary"></p>
          </div>
          <button type="button" id="forget" class="quiet">Forget the key</button>
        </div>
        <section id="map" aria-label="Map"></section>
        <section aria-labelledby="cards-title">
          <h2 id="cards-title">Turbine by turbine</h2>
          <ul class="legend" aria-label="How to read the charts">
            <li><span class="swatch bar"></span>month against its season</li>
            <li><span class="swatch hatched"></span>preliminary: may still be replaced</li>
            <li><span class="swatch line"></span>last 12 months</li>
            <li><span class="swatch normal"></span>100 %: a normal month of the same name, a normal year</li>
            <li>no bar: no data</li>
          </ul>
          ${renderGlossary(contract)}
          <div id="cards"></div>
        </section>
        <p id="attribution" class="help"></p>
      </div>
    `,
  });
}
