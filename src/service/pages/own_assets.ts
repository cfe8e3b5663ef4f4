import cardJs from "./browser/card.js" with { type: "text" };
import cardFiguresJs from "./browser/card_figures.js" with { type: "text" };
import chartJs from "./browser/chart.js" with { type: "text" };
import domJs from "./browser/dom.js" with { type: "text" };
import errorMessagesJs from "./browser/error_messages.js" with { type: "text" };
import figuresJs from "./browser/figures.js" with { type: "text" };
import iconSvg from "./browser/icon.svg" with { type: "text" };
import mapJs from "./browser/map.js" with { type: "text" };
import mapViewJs from "./browser/map_view.js" with { type: "text" };
import markersJs from "./browser/markers.js" with { type: "text" };
import monthsJs from "./browser/months.js" with { type: "text" };
import outlinesJs from "./browser/outlines.js" with { type: "text" };
import pageCss from "./browser/page.css" with { type: "text" };
import serviceJs from "./browser/service.js" with { type: "text" };
import sessionJs from "./browser/session.js" with { type: "text" };
import startCss from "./browser/start.css" with { type: "text" };
import startJs from "./browser/start.js" with { type: "text" };
import turbineJs from "./browser/turbine.js" with { type: "text" };
import uiCss from "./browser/ui.css" with { type: "text" };
import uiJs from "./browser/ui.js" with { type: "text" };
import { AssetFolder } from "./asset_folder.ts";

/** Scripts, styles and icon of the pages: readable sources, sent as they are. */
export const ownAssets: AssetFolder = new AssetFolder("pages", () =>
  Promise.resolve({
    "card.js": cardJs,
    "card_figures.js": cardFiguresJs,
    "chart.js": chartJs,
    "dom.js": domJs,
    "error_messages.js": errorMessagesJs,
    "figures.js": figuresJs,
    "icon.svg": iconSvg,
    "map.js": mapJs,
    "map_view.js": mapViewJs,
    "markers.js": markersJs,
    "months.js": monthsJs,
    "outlines.js": outlinesJs,
    "page.css": pageCss,
    "service.js": serviceJs,
    "session.js": sessionJs,
    "start.css": startCss,
    "start.js": startJs,
    "turbine.js": turbineJs,
    "ui.css": uiCss,
    "ui.js": uiJs,
  }));
