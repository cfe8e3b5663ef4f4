import { escapeHtml } from "../../show/text/html.ts";
import { darkColors } from "./dark_colors.ts";
import { readSize } from "./render.ts";
import type { Theme } from "./recolor.ts";

/** Margin of the page on a screen, pixels. */
const MARGIN = 16;

/** Width of A4 within margins of 10 mm, pixels. */
const A4_WIDTH = 718;

/** Background of the page and the colour schemes that it follows. */
const SCHEMES: Readonly<Record<Theme, readonly [scheme: string, background: string]>> = {
  light: ["light", "white"],
  dark: ["dark", darkColors.get("white")!],
  auto: ["light dark", `light-dark(white, ${darkColors.get("white")})`],
};

/** Texts keep their size: a window that is too narrow scrolls and says so, a wide chart is printed across the sheet. */
function buildStyle(width: number, theme: Theme): string {
  const [scheme, background] = SCHEMES[theme];
  return `:root { color-scheme: ${scheme}; background: ${background}; }
body { margin: ${MARGIN}px; font: 14px sans-serif; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; }
.hint { display: none; }
@media screen and (max-width: ${Math.ceil(width) + 2 * MARGIN - 1}px) { .hint { display: block; } }
@page { size: A4 ${width > A4_WIDTH ? "landscape" : "portrait"}; margin: 10mm; }
@media print {
  body { margin: 0; }
  figure { overflow: visible; }
  svg { max-width: 100%; height: auto; }
}`;
}

/** A drawn chart as an HTML page that needs no network and runs no script. */
export function buildChartPage(svg: string, altText: string, theme: Theme): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(altText)}</title>
<style>
${buildStyle(readSize(svg).width, theme)}
</style>
</head>
<body>
<p class="hint">The chart is wider than this window: scroll it sideways.</p>
<figure tabindex="0">${svg}</figure>
</body>
</html>
`;
}
