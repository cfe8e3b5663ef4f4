import { html } from "hono/html";
import type { Tag } from "../../api/columns/column.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { CONTACT } from "../../api/operations/operation_errors.ts";
import { KEY_HEADER, operations } from "../../api/operations/operations.ts";
import type { Parameter } from "../../api/operations/parameter.ts";
import { LIMITS_PATH } from "./addresses.ts";
import { OPENAPI_PATH } from "./openapi_route.ts";
import { type Html, linkUiPages, type PageContext, renderPage } from "./page.ts";
import { type LimitsInForce, listServiceLimits } from "./service_limits.ts";

/** A statement of the contract that is the same for several operations. */
export interface Statement {
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
export async function renderLimitsPage(
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
