import type { Env, Hono } from "hono";
import { html } from "hono/html";
import { KEY_HEADER, operationOf, operations } from "../../api/operations/operations.ts";
import { WORLD_HEADER } from "../../api/world.ts";
import { answerConditionally } from "../responses/conditional.ts";
import {
  DOCS_PATH,
  FLEET_PATH,
  LIMITS_PATH,
  START_PATH,
  UI_PAGES,
  type UiPage,
} from "./addresses.ts";
import { AssetFolder, ASSETS } from "./asset_folder.ts";
import { OPENAPI_PATH } from "./openapi_route.ts";
import { ownAssets } from "./own_assets.ts";
import { type Html, linkUiPages, nameSession, type PageContext, renderPage } from "./page.ts";
import { type LimitsInForce, listServiceLimits } from "./service_limits.ts";
import type { Tag } from "../../api/columns/column.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { CONTACT } from "../../api/operations/operation_errors.ts";
import type { Parameter } from "../../api/operations/parameter.ts";

/** A statement of the contract that is the same for several operations. */
interface Statement {
  /** What it is about: name of a parameter, or a status. */
  readonly name: string;
  readonly says: string;
  readonly tag: Tag;
  /** Names of the operations that it is about. */
  readonly where: readonly string[];
}

/** Forms of parameters, where the name of the type does not say it. */
const FORMS: Readonly<Partial<Record<Parameter["type"], string>>> = {
  year_month: "month as 2023-05",
  date: "date as 2023-05-01",
  email: "e-mail address",
  string: "text",
};

function describeAllowed(parameter: Parameter): string {
  const { type, values, minimum, maximum, unit, required } = parameter;
  const form = values?.join(", ") ?? FORMS[type] ?? type;
  const span = minimum === undefined && maximum === undefined
    ? []
    : [`${minimum ?? "any"} to ${maximum ?? "any"}${unit ? ` ${unit}` : ""}`];
  const standard = parameter.defaultApplies === false ? "default in the text" : "default";
  const absent = required
    ? "required"
    : parameter.default === undefined
    ? "optional"
    : `${standard} ${parameter.default}`;
  return [form, ...span, absent].join("; ");
}

function joinStatements(statements: readonly Statement[]): Statement[] {
  const found = new Map<string, Statement>();
  for (const statement of statements) {
    const { name, says, tag, where } = statement;
    const key = JSON.stringify([name, says, tag]);
    const same = found.get(key);
    found.set(key, same ? { ...same, where: [...same.where, ...where] } : statement);
  }
  return [...found.values()];
}

/** Lists what the contract states of parameters, in the order of the operations. */
export function listParameterStatements(): Statement[] {
  return joinStatements(
    operations.flatMap(({ id, parameters }: Operation) =>
      parameters.map((parameter) => ({
        name: parameter.name,
        says: describeAllowed(parameter),
        tag: parameter.tag,
        where: [id],
      }))
    ),
  );
}

/** Lists what the contract states of error statuses, in their order. */
export function listErrorStatements(): Statement[] {
  return joinStatements(
    operations.flatMap(({ id, errors }) =>
      errors.map(({ status, condition, tag }) => ({
        name: String(status),
        says: condition,
        tag,
        where: [id],
      }))
    ),
  ).toSorted((a, b) => Number(a.name) - Number(b.name));
}

const TAGS: Readonly<Record<Tag, string>> = {
  documented: "the text of the API says so",
  assumed: "the text is silent or contradicts itself, and this is how the service reads it",
  ours: "an addition of this service",
};

function renderTag(name: Tag): Html {
  return html`<span class="tag ${name}">${name}</span>`;
}

/** Renders a table whose rows begin with their name. */
function renderTable(
  head: readonly string[],
  rows: readonly (readonly [name: Html | string, ...cells: (Html | string)[]])[],
  title: string,
): Html {
  return html`
    <table aria-labelledby="${title}">
      <thead>
        <tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>${rows.map(([name, ...cells]) =>
        html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`
      )}</tbody>
    </table>
  `;
}

function renderWhere({ where }: Statement): Html {
  const keyed = operations.filter(({ key }) => key).length;
  if (where.length === operations.length) return html`all operations`;
  if (where.length === keyed && where.every((id) => id !== "api_key")) {
    return html`all operations that need the key`;
  }
  return html`${where.map((id, i) => html`${i > 0 ? ", " : ""}<code>${id}</code>`)}`;
}

function renderStatements(
  statements: readonly Statement[],
  head: readonly string[],
  title: string,
): Html {
  const rows = statements.map((statement) =>
    [
      html`<code>${statement.name}</code>`,
      html`${statement.says}<br><span class="where">${renderWhere(statement)}</span>`,
      renderTag(statement.tag),
    ] as const
  );
  return renderTable([...head, "Source"], rows, title);
}

function renderOperations(prefix: string): Html {
  const rows = operations.map(({ id, path, summary, deprecated, key }) =>
    [
      html`<code>${id}</code>`,
      html`<code>GET ${path}</code><br>${summary}`,
      html`${deprecated ? "deprecated" : "current"}<br>${key ? "key" : "no key"}`,
    ] as const
  );
  return html`
    <p>As the text of the API has them. Try them:
      ${linkUiPages(prefix)}. The key goes in the header <code>${KEY_HEADER}</code>.</p>
    ${renderTable(["Name", "Address", "State"], rows, "operations")}
  `;
}

function renderLimits(inForce: LimitsInForce): Html {
  const rows = listServiceLimits(inForce).map(({ what, allowed, beyond }) =>
    [what, allowed, beyond] as const
  );
  return html`
    <p>The text of the API names no numbers for these: all are ${renderTag("ours")}.</p>
    <div class="own">${renderTable(["What", "Allowed", "Beyond it"], rows, "service")}</div>
  `;
}

function renderSection(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

/**
 * Renders the page on what is documented, assumed and ours, derived from the contract and from the limits as enforced.
 *
 * @param inForce Limits that the service was started with, and whom to contact for a licence
 */
async function renderLimitsPage(
  context: PageContext,
  { contact = CONTACT, ...inForce }: LimitsInForce,
): Promise<Response> {
  const { prefix, signIn } = context;
  const errors = listErrorStatements().map((statement) => ({
    ...statement,
    says: statement.says.replaceAll(CONTACT, () => contact),
  }));
  return await renderPage(context, {
    path: LIMITS_PATH,
    title: "Limits",
    main: html`
      <div class="limits">
        <h1>Limits: what is documented, assumed, ours</h1>
        <p class="lead">Every statement says where it comes from. The
          <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a> says the same to programs.</p>
        <ul class="tags">
          ${Object.entries(TAGS).map(([name, meaning]) =>
            html`<li>${renderTag(name as Tag)} ${meaning}</li>`
          )}
        </ul>
        ${renderSection("service", "Limits of this service", renderLimits({ ...inForce, signIn }))}
        ${renderSection("operations", "Operations", renderOperations(prefix))}
        ${renderSection(
          "parameters",
          "Parameters",
          renderStatements(
            listParameterStatements(),
            ["Name", "What is allowed, and where"],
            "parameters",
          ),
        )}
        ${renderSection(
          "errors",
          "Error statuses",
          renderStatements(errors, ["Status", "When, and where"], "errors"),
        )}
      </div>
    `,
  });
}

/**
 * Renders the start page: the turbines of a licence on a map, with their last index and a chart each. The page contains no
 * data: its script loads them with the key that is typed in.
 */
async function renderStartPage(context: PageContext): Promise<Response> {
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

/** Swagger UI as its package has it, read when a page with it is opened. */
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
  const assets = prefix + await ownAssets.address();
  const own = operations.filter(({ group }) => groups.includes(group));
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
        <p class="lead" ${nameSession(context)}><span id="signed-out">Enter your key with
        <em>Authorize</em>, open an operation, and try it: the request goes to this service. The key is
        forgotten when you leave the page.</span><span id="signed-in" hidden>You are signed in: open an
        operation, and try it. The request goes to this service, with the local licence unless you enter
        another key with <em>Authorize</em>.</span>
        <a href="${prefix}${OPENAPI_PATH}">OpenAPI document</a>, <a href="${prefix}${LIMITS_PATH}">limits</a></p>
        <p class="help">A refusal is a problem document (RFC 9457) with <code>title</code>,
        <code>status</code> and <code>detail</code>; what a status means stands with each
        operation.${own.every(({ deprecated }) => deprecated)
          ? " The API text calls all of these operations deprecated, without others to use instead."
          : ""}${own.some(({ id }) => id === "order_status")
          ? html`
            To see an order as a page, open <code>${orderPath}</code> in a browser that is signed
                      in.
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

const folders = [ownAssets, swaggerAssets];

/**
 * Adds the pages for people: the turbines of a licence, the operations to try, and the limits. They contain no data
 * of a licence: their scripts load it from the API, with the key that is typed in.
 */
export function addPages<E extends Env>(
  app: Hono<E>,
  context: () => Promise<PageContext>,
  limits: LimitsInForce = {},
): void {
  const add = (path: string, answer: (context: PageContext) => Promise<Response>) =>
    app.get(path, async ({ req }) => {
      return await answerConditionally(req.raw, await answer(await context()));
    });
  add(START_PATH, renderStartPage);
  add(LIMITS_PATH, (context) => renderLimitsPage(context, limits));
  for (const shown of UI_PAGES) {
    add(shown.path.slice(0, -1), (context) => renderUiPage(shown, context));
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
