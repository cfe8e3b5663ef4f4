import { html } from "hono/html";
import { KEY_HEADER } from "../../api/operations/operations.ts";
import { LIMITS_PATH, START_PATH, UI_PAGES } from "./addresses.ts";
import { type PageContext, renderPage } from "./page.ts";

const PROBLEM = "application/problem+json";

/** What a problem has, RFC 9457. */
interface Problem {
  readonly title?: string;
  readonly status: number;
  readonly detail: string;
}

/** Accept headers of browsers: a page is what they want most. */
const PAGE_FIRST = /^\s*text\/html\s*(?![^,]*;\s*q=0(?:\.0*)?\s*(?:[,;]|$))(?:[,;]|$)/i;

/** Whether a person looks at a refusal: browsers ask for pages first, and have no header with a key. */
export function isForPeople({ headers }: Request, answer: Response): boolean {
  return answer.status >= 400 && answer.status < 500 &&
    answer.headers.get("content-type") === PROBLEM &&
    !headers.has(KEY_HEADER) && PAGE_FIRST.test(headers.get("accept") ?? "");
}

/** Renders a refusal as a page: what went wrong, and where to go. */
export async function renderProblemPage(
  context: PageContext,
  refusal: Response,
): Promise<Response> {
  const { title = "Problem", status, detail }: Problem = await refusal.json();
  const { prefix, signIn } = context;
  const page = await renderPage(context, {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="notice">${detail.replace(/\.$/, "")}. (Status ${status})</p>
      <h2>Where to go</h2>
      <ul>
        <li><a href="${prefix}${START_PATH}">Turbines</a>: the wind at each of them. Sign in there
          with a key${signIn
            ? ", or by the address that the service printed when it was started"
            : ""}.</li>
        <li>${UI_PAGES.map(({ path, title }, i) =>
          html`${i > 0 ? ", " : ""}<a href="${prefix}${path}">${title}</a>`
        )}: all operations, to read and to try.</li>
        <li><a href="${prefix}${LIMITS_PATH}">Limits</a>: what each error status means.</li>
      </ul>
    `,
  });
  const headers = new Headers(refusal.headers);
  for (const [name, value] of page.headers) headers.set(name, value);
  headers.delete("etag");
  headers.set("cache-control", "no-store");
  headers.set("vary", "accept");
  return new Response(page.body, { status, headers });
}
