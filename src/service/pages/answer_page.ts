import { html } from "hono/html";
import type { OperationId } from "../../api/operations/operation.ts";
import { KEY_HEADER } from "../../api/operations/operations.ts";
import { type OrderWord, orderWords } from "../../api/operations/order_words.ts";
import { START_PATH } from "./addresses.ts";
import { linkUiPages, type PageContext, renderPage } from "./page.ts";

const PROBLEM = "application/problem+json";

/** Fields of a problem, RFC 9457. */
interface Problem {
  readonly title?: string;
  readonly status: number;
  readonly detail: string;
}

/** Accept headers of browsers: they prefer a page. */
const PAGE_FIRST = /^\s*text\/html\s*(?![^,]*;\s*q=0(?:\.0*)?\s*(?:[,;]|$))(?:[,;]|$)/i;

/**
 * Renders a refusal, or the status of an order, as a page for a browser. Browsers ask for pages first, and send no header
 * with a key.
 *
 * @returns `undefined` for requests of programs, and for other answers
 */
export async function renderForPeople(
  { headers: requested }: Request,
  answer: Response,
  operation: OperationId | undefined,
  context: () => Promise<PageContext>,
): Promise<Response | undefined> {
  if (requested.has(KEY_HEADER) || !PAGE_FIRST.test(requested.get("accept") ?? "")) return;
  const { status } = answer;
  const refused = status >= 400 && status < 500 && answer.headers.get("content-type") === PROBLEM;
  if (!refused && !(status === 200 && operation === "order_status")) return;
  const content = await answer.clone().json();
  const page = await (refused ? renderProblem : renderOrder)(await context(), content);
  const headers = new Headers(answer.headers);
  for (const [name, value] of page.headers) headers.set(name, value);
  headers.delete("etag");
  headers.delete("content-length");
  headers.set("cache-control", "no-store");
  headers.set("vary", "accept");
  return new Response(page.body, { status, headers });
}

/** The status of an order: its word with an explanation, or its file. */
function renderOrder(context: PageContext, status: string): Promise<Response> {
  const meaning = orderWords[status as OrderWord];
  const shown = meaning
    ? html`
      <p class="notice"><strong>${status}</strong>: ${meaning}</p>
      <p>Reload this page to see the current status.</p>
    `
    : html`
      <p class="notice">The data are ready.</p>
      <p><a href="${status}" download>Download the file</a></p>
    `;
  return renderPage(context, { title: "Order", main: html`<h1>Climate data order</h1>${shown}` });
}

/** A refusal: the problem, and links to continue. */
async function renderProblem(
  context: PageContext,
  { title = "Problem", status, detail }: Problem,
): Promise<Response> {
  const { prefix, signIn } = context;
  return await renderPage(context, {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="notice">${detail.replace(/\.$/, "")}. (Status ${status})</p>
      <h2>Where to go</h2>
      <ul>
        <li><a href="${prefix}${START_PATH}">Turbines</a>: see the wind at each turbine. Sign in there with a key${signIn
          ? ", or with the address that the service printed when it started"
          : ""}.</li>
        <li>${linkUiPages(
          prefix,
        )}: read and try all operations, and see what each error status means.</li>
      </ul>
    `,
  });
}
