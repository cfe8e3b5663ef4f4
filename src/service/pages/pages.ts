import type { Env, Hono } from "hono";
import { answerConditionally } from "../responses/conditional.ts";
import { DOCS_PATH, LIMITS_PATH, START_PATH, UI_PAGES } from "./addresses.ts";
import { ASSETS } from "./asset_folder.ts";
import { renderLimitsPage } from "./limits_page.ts";
import { mapAssets } from "./map_assets.ts";
import { ownAssets } from "./own_assets.ts";
import type { PageContext } from "./page.ts";
import type { LimitsInForce } from "./service_limits.ts";
import { renderStartPage } from "./start_page.ts";
import { swaggerAssets } from "./swagger_assets.ts";
import { renderUiPage } from "./ui_page.ts";

const folders = [ownAssets, mapAssets, swaggerAssets];

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
