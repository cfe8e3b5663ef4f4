import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import {
  type Bundle,
  CUSTOM_INSPECT,
  type Displayable,
  JUPYTER_DISPLAY,
} from "../../show/jupyter.ts";
import { type ChartSpec, darkenSpec, followLab, type Theme, THEMES } from "./recolor.ts";
import { readSize, renderPng, renderSvg } from "./render.ts";
import { openDocument } from "../../show/text/html.ts";
import { darkColors } from "./theme.ts";

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

/** Texts keep their size: a narrow window scrolls and shows a hint, a wide chart is printed across the sheet. */
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

/** A drawn chart as a self-contained HTML page without scripts. */
function buildChartPage(svg: string, altText: string, theme: Theme): string {
  return `${openDocument(altText, buildStyle(readSize(svg).width, theme))}
<body>
<p class="hint">The chart is wider than this window: scroll it sideways.</p>
<figure tabindex="0">${svg}</figure>
</body>
</html>
`;
}

/** Options of {@linkcode Chart.png}. */
export interface PngOptions {
  /** Pixels of the image per pixel of the chart. @default {2} */
  readonly scale?: number;
}

const PNG_OPTIONS = declareOptions<PngOptions>()("", { scale: 2 });

/** A chart that shows itself in notebooks and saves itself as SVG, PNG, HTML or JSON. */
export class Chart implements Displayable {
  /** The Vega-Lite specification, complete with its data. */
  readonly spec: ChartSpec;
  /** Content of the chart, as text for screen readers. */
  readonly altText: string;
  /** Colours of the chart; with `"auto"`, {@linkcode spec} is light. */
  readonly theme: Theme;

  /**
   * Makes a chart without drawing it.
   *
   * @param spec Vega-Lite specification in light colours, with its data and a `description`
   * @param theme Colours of the chart
   * @throws {ArgumentError} If the theme is unknown
   */
  constructor(spec: ChartSpec, theme: Theme = "auto") {
    if (!THEMES.includes(theme)) {
      throw new ArgumentError(
        `Cannot draw the chart: the theme "${theme}" is unknown. Give one of ${THEMES.join(", ")}`,
      );
    }
    this.spec = theme === "dark" ? darkenSpec(spec) : spec;
    this.altText = String(spec.description ?? "");
    this.theme = theme;
  }

  /** The chart as an SVG document: identical at every call and in every time zone. */
  svg(): Promise<string> {
    return renderSvg(this);
  }

  /**
   * The chart as a PNG: identical on every machine, in a font that comes with Vindkit. If that font lacks a character, for
   * example of a Chinese name, a font of the machine draws it.
   *
   * @param options Resolution
   * @throws {ArgumentError} If the scale is not above 0 and at most 10, or the image would have more than 150 million pixels
   * @throws {Error} If the font cannot be read
   */
  async png(options: PngOptions = {}): Promise<Uint8Array> {
    const { scale } = readOptions("png()", options, PNG_OPTIONS);
    if (!(scale > 0 && scale <= 10)) {
      throw new ArgumentError(
        `Cannot draw the chart: scale is ${scale}. Give a number above 0, at most 10`,
      );
    }
    return await renderPng(await this.svg(), scale);
  }

  /** The chart as a self-contained HTML page; it scrolls in a narrow window and fits an A4 sheet on paper. */
  async html(): Promise<string> {
    return buildChartPage(await this.svg(), this.altText, this.theme);
  }

  /**
   * Writes the chart to a file, in the format of its extension.
   *
   * @param path File that ends in `.svg`, `.png`, `.html` or `.json` (the specification)
   * @throws {ArgumentError} If the extension is none of these
   */
  async save(path: string): Promise<void> {
    await writeAtomically(path, await this.#encodeFor(path), { mode: 0o666 });
  }

  /** Content of a file in the format of its extension. */
  async #encodeFor(path: string): Promise<Uint8Array> {
    const encode = (text: string) => new TextEncoder().encode(text);
    switch (/\.([A-Za-z]+)$/.exec(path)?.[1].toLowerCase()) {
      case "svg":
        return encode(await this.svg());
      case "png":
        return await this.png();
      case "html":
        return encode(await this.html());
      case "json":
        return encode(JSON.stringify(this.spec, null, 2) + "\n");
      default:
        throw new ArgumentError(
          `Cannot save the chart as "${path}": the name does not end in .svg, .png, .html or .json. Give a name with one of these endings`,
        );
    }
  }

  /** Content of the chart, as text. */
  toString(): string {
    return this.altText;
  }

  /** The chart for a notebook, without `text/html`: JupyterLab would prefer that to the picture. */
  async [JUPYTER_DISPLAY](): Promise<Bundle> {
    const svg = await this.svg();
    return {
      "application/vnd.vegalite.v5+json": this.theme === "auto" ? followLab(this.spec) : this.spec,
      "image/svg+xml": svg,
      "image/png": (await renderPng(svg, 2)).toBase64(),
      "text/plain": this.altText,
    };
  }

  /** Content of the chart, for the console. */
  [CUSTOM_INSPECT](): string {
    return this.altText;
  }
}
