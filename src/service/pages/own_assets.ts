import { AssetFolder } from "./asset_folder.ts";

/**
 * Scripts, styles and icon of the pages: readable sources, sent as they are. Imported when a page is opened: JSR refuses
 * modules that import text statically.
 */
export const ownAssets: AssetFolder = new AssetFolder("pages", async () => {
  const modules = {
    "icon.svg": import("./browser/icon.svg", { with: { type: "text" } }),
    "map.js": import("./browser/map.js", { with: { type: "text" } }),
    "page.css": import("./browser/page.css", { with: { type: "text" } }),
    "service.js": import("./browser/service.js", { with: { type: "text" } }),
    "session.js": import("./browser/session.js", { with: { type: "text" } }),
    "start.css": import("./browser/start.css", { with: { type: "text" } }),
    "start.js": import("./browser/start.js", { with: { type: "text" } }),
    "ui.css": import("./browser/ui.css", { with: { type: "text" } }),
    "ui.js": import("./browser/ui.js", { with: { type: "text" } }),
  };
  const texts = Object.entries(modules).map(async (
    [name, module],
  ) => [name, (await module).default]);
  const { buildDarkRules } = await import("../../plots/drawing/recolor.ts");
  return {
    ...Object.fromEntries(await Promise.all(texts)),
    "charts.css": buildDarkRules("svg.marks"),
  };
});
