import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { plotPowerCurve } from "../../../src/plots/hours/power_curve.ts";
import { Resvg } from "@resvg/resvg-js";
import { chooseFonts } from "../../../src/plots/drawing/fonts.ts";
import { renderPng } from "../../../src/plots/drawing/render.ts";
import { buildDetails } from "../_frames.ts";
import { NAMES } from "./_draw_pngs.ts";

const PROGRAM = new URL("_draw_pngs.ts", import.meta.url).pathname;

async function run(command: string, args: readonly string[]) {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { NO_COLOR: "1" },
  }).output().catch(() => ({ success: false, stdout: new Uint8Array(), stderr: new Uint8Array() }));
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out, err };
}

const draw = (...options: readonly string[]) =>
  run(Deno.execPath(), ["run", "--no-check", "--allow-all", PROGRAM, ...options]);

/** Folders where a renderer looks for fonts. */
const FONT_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts", "$HOME/.fonts"]
  .concat("$HOME/.local/share/fonts", "$HOME/.cache/fontconfig");

/** Draws in a mount namespace in which these folders are empty. */
function drawWithoutFonts(...options: readonly string[]) {
  const hide = `for folder in ${FONT_FOLDERS.map((folder) => `"${folder}"`).join(" ")}; do ` +
    'if [ -d "$folder" ]; then mount -t tmpfs none "$folder" || exit 1; fi; done; exec "$@"';
  const words = [Deno.execPath(), "run", "--no-check", "--allow-all", PROGRAM, ...options];
  return run("unshare", ["-rm", "sh", "-c", hide, "sh", ...words]);
}

const { success: isAllowed } = await run("unshare", ["-rm", "mount", "-t", "tmpfs", "n", "/mnt"]);
const where = isAllowed ? describe : describe.ignore;

where(
  `NB3: a machine without fonts${isAllowed ? "" : " (left out: unshare -m is not allowed here)"}`,
  () => {
    it("draws the same PNG, byte by byte, as a machine with fonts", async () => {
      const [bare, usual] = await Promise.all([drawWithoutFonts(), draw()]);
      assert(bare.out.split("\n").length > 12, bare.err);
      assertEquals(bare, usual);
      assertEquals(bare.err, "");
    });

    it("reports characters that no font has, and draws boxes for them", async () => {
      const { out, err, success } = await drawWithoutFonts("--foreign");
      assert(success && out.length > 64, err);
      assertStringIncludes(err, '"□" for 車, 風: no font on this machine draws these characters');
    });
  },
);

describe("NB3: the font of a PNG", () => {
  const textOf = (name: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><text>${name}</text></svg>`;

  it("has the letters of Europe and the signs of charts, so no other font is loaded", async () => {
    const svg = textOf(NAMES);
    const { svg: drawing, font } = await chooseFonts(svg, Resvg);
    assertEquals([drawing, font.loadSystemFonts], [svg, false]);
  });

  it("replaces a character that no font has by a box", async () => {
    const { svg } = await chooseFonts(textOf("T\u{10fffd}1 &amp; &#x9;N\u0308"), Resvg);
    assertEquals(svg, textOf("T□1 &amp; &#x9;N\u0308"));
  });

  it("is visible: a PNG of the same chart without its texts differs", async () => {
    const svg = await plotPowerCurve(buildDetails()).svg();
    const silent = svg.replace(/<text[^]*?<\/text>/g, "");
    assertNotEquals(await renderPng(silent, 1), await renderPng(svg, 1));
  });
});
