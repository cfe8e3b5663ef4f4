import { AssetFolder } from "./asset_folder.ts";

/**
 * Scripts, styles and icon of the pages: readable sources, sent as they are. Imported when a page is opened: JSR refuses
 * modules that import text statically.
 */
export const ownAssets: AssetFolder = new AssetFolder("pages", async () => {
  const modules = {
    "card.js": import("./browser/card.js", { with: { type: "text" } }),
    "card_figures.js": import("./browser/card_figures.js", { with: { type: "text" } }),
    "chart.js": import("./browser/chart.js", { with: { type: "text" } }),
    "dom.js": import("./browser/dom.js", { with: { type: "text" } }),
    "error_messages.js": import("./browser/error_messages.js", { with: { type: "text" } }),
    "figures.js": import("./browser/figures.js", { with: { type: "text" } }),
    "icon.svg": import("./browser/icon.svg", { with: { type: "text" } }),
    "map.js": import("./browser/map.js", { with: { type: "text" } }),
    "map_view.js": import("./browser/map_view.js", { with: { type: "text" } }),
    "markers.js": import("./browser/markers.js", { with: { type: "text" } }),
    "months.js": import("./browser/months.js", { with: { type: "text" } }),
    "outlines.js": import("./browser/outlines.js", { with: { type: "text" } }),
    "page.css": import("./browser/page.css", { with: { type: "text" } }),
    "service.js": import("./browser/service.js", { with: { type: "text" } }),
    "session.js": import("./browser/session.js", { with: { type: "text" } }),
    "start.css": import("./browser/start.css", { with: { type: "text" } }),
    "start.js": import("./browser/start.js", { with: { type: "text" } }),
    "turbine.js": import("./browser/turbine.js", { with: { type: "text" } }),
    "ui.css": import("./browser/ui.css", { with: { type: "text" } }),
    "ui.js": import("./browser/ui.js", { with: { type: "text" } }),
  };
  const texts = Object.entries(modules).map(async (
    [name, module],
  ) => [name, (await module).default]);
  return Object.fromEntries(await Promise.all(texts));
});
