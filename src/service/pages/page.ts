import { html } from "hono/html";
import { SYNTHETIC, type World, WORLD_HEADER } from "../../api/world.ts";
import { SESSION_PATH, SIGN_OUT_PATH, START_PATH, UI_PAGES } from "./addresses.ts";
import { buildTaggedText } from "../responses/http_headers.ts";
import { buildSecurityHeaders, pageAssets } from "./assets.ts";

/** HTML in which everything but our markup is escaped. */
export type Html = ReturnType<typeof html>;

/** Facts about a service for all of its pages. */
export interface PageContext {
  readonly world: World;
  /** Prefix of each path in a browser: empty, or the path under which a proxy serves the service. */
  readonly prefix: string;
  /** Whether browsers of this machine can sign in. */
  readonly signIn: boolean;
}

interface PageParts {
  /** Its path, if it is in the navigation. */
  readonly path?: string;
  readonly title: string;
  /** Styles and scripts it loads, as markup for the head. */
  readonly head?: Html;
  readonly main: Html;
  /** Rules of the content policy that differ from those of other pages. */
  readonly policy?: Readonly<Record<string, string>>;
}

function renderSynthetic(world: World): Html {
  if (world !== "sample") return html``;
  return html`
    <p
      class="synthetic"><strong>${SYNTHETIC}</strong> Weather, turbines and production are invented, for
      learning and testing only. These figures do not describe a real place.</p>
  `;
}

/** Row of links to the pages for trying operations. */
export function linkUiPages(prefix: string): Html[] {
  return UI_PAGES.map(({ path, title }, i) =>
    html`${i > 0 ? ", " : ""}<a href="${prefix}${path}">${title}</a>`
  );
}

function renderNavigation(current: string | undefined, prefix: string): Html {
  const links = [{ path: START_PATH, title: "Turbines" }, ...UI_PAGES];
  return html`
    <nav aria-label="Pages">
      <ul>
        ${links.map(({ path, title }) =>
          html`
            <li><a href="${prefix}${path}" ${path === current
              ? html`aria-current="page"`
              : ""}>${title}</a></li>
          `
        )}
      </ul>
    </nav>
  `;
}

/** Attributes that name the addresses of a session to the scripts of a page. */
export function nameSession({ prefix, signIn }: PageContext): Html {
  return signIn
    ? html`data-session="${prefix}${SESSION_PATH}" data-sign-out="${prefix}${SIGN_OUT_PATH}"`
    : html``;
}

/** Renders a page with title, navigation, and SYNTHETIC on pages of the sample. */
export async function renderPage(
  { world, prefix }: PageContext,
  parts: PageParts,
): Promise<Response> {
  const assets = prefix + await pageAssets.address();
  const text = await html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${parts.title} | Vindkit</title>
        <link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="${assets}page.css">
        ${parts.head ?? ""}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          ${renderSynthetic(world)}
          <div class="top">
            <p class="brand">Vindkit</p>
            ${renderNavigation(parts.path, prefix)}
          </div>
        </header>
        <main id="main" tabindex="-1">${parts.main}</main>
      </body>
    </html>
  `;
  return buildTaggedText(String(text), {
    ...buildSecurityHeaders(parts.policy),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    [WORLD_HEADER]: world,
  });
}
