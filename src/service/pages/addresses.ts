import type { Group } from "../../api/operations/operation_declaration.ts";
import { ASSETS } from "./assets.ts";

/** Path of the start page. */
export const START_PATH = "/";

/** Path of the turbines of a licence, the part of the start page that needs a key; its own parts are below it. */
export const FLEET_PATH = "/fleet";

/** Path of the news feed of a licence's turbines. */
export const NEWS_PATH = "/news.atom";

/** Path where people look first for the docs of an API: it redirects to the first of {@linkcode UI_PAGES}. */
export const DOCS_PATH = "/docs";

/** Path at which a browser signs in with a token. */
export const SIGN_IN_PATH = "/sign-in";

/** Path that reports whether a browser is signed in. */
export const SESSION_PATH = "/session";

/** Path at which a browser signs out. */
export const SIGN_OUT_PATH = "/sign-out";

/** A page on which operations can be read and tried. */
export interface UiPage {
  /** Its path, as the API text names it. */
  readonly path: string;
  readonly title: string;
  /** Groups of operations on it; the API text has no page for the reports, so they are on the page of the wind index. */
  readonly groups: readonly Group[];
}

/** The pages for trying operations. */
export const UI_PAGES: readonly UiPage[] = [
  { path: "/wind-index/ui/", title: "Wind index API", groups: ["wind-index", "reports"] },
  { path: "/climate-data/ui/", title: "Climate data API", groups: ["climate-data"] },
  { path: "/user-access/ui/", title: "User access API", groups: ["user-access"] },
];

/**
 * Finds the name of a page for the request log.
 *
 * @returns `undefined` if there is no page
 */
export function findPageName(path: string): string | undefined {
  const folder = path.endsWith("/") ? path : `${path}/`;
  if (path === START_PATH) return "start_page";
  if (folder.startsWith(`${FLEET_PATH}/`)) return "fleet";
  if (folder === `${NEWS_PATH}/`) return "news_feed";
  if (folder === `${SIGN_IN_PATH}/`) return "sign_in";
  if (folder === `${SIGN_OUT_PATH}/`) return "sign_out";
  if (folder === `${SESSION_PATH}/`) return "session";
  if (path === DOCS_PATH || UI_PAGES.some((page) => page.path === folder)) return "ui_page";
  return path.startsWith(`${ASSETS}/`) ? "asset" : undefined;
}
