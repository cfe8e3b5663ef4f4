import { diverging, nested, palette, ramp } from "./theme.ts";

/** Background of a chart in the dark. */
const DARK_BACKGROUND = "#14171a";

/** The palette on a dark background: black and white change places, pale areas become deep ones. */
const darkPalette: Readonly<Record<keyof typeof palette, string>> = {
  blue: "#388dce",
  orange: "#ecb94f",
  paleBlue: "#1d5a86",
  paleOrange: "#6e4b05",
  black: "#f0f0f0",
  vermilion: "#e8613a",
  missing: "#3d3f42",
  text: "#d6d8da",
  faint: "#a4a9ae",
  grid: "#34383c",
};

/** Both sides brighten away from normal, so that the texts on them change with the background. */
const darkDiverging = [
  "#a65900",
  "#80470a",
  "#623c10",
  "#4a3417",
  "#2b2d2f",
  "#1c3b52",
  "#19567f",
  "#1c6ea6",
  "#86c5f0",
];

const darkNested = ["#152f40", "#1a4662", "#205e84", "#2b79ab"];

const darkRamp = ["#7854b4", "#5a86d8", "#3ea6c8", "#35bfa2", "#70d06a", "#b4e044", "#fdf06a"];

/** Pairs of a colour of the charts on white and its counterpart. */
function pairColors(light: readonly string[], dark: readonly string[]) {
  return light.map((color, i) => [color, dark[i]] as const);
}

/** Counterpart in the dark of each colour of a chart, by the colour on white. */
export const darkColors: ReadonlyMap<string, string> = new Map([
  ["white", DARK_BACKGROUND],
  ...pairColors(diverging, darkDiverging),
  ...pairColors(nested, darkNested),
  ...pairColors(ramp, darkRamp),
  ...Object.entries(palette)
    .map(([name, color]) => [color, darkPalette[name as keyof typeof palette]] as const),
  // Land, sea, borders, coasts and the graticule of the maps.
  ["#d5dcd0", "#3c443a"],
  ["#f3f8fb", "#171d22"],
  ["#98927f", "#7d776a"],
  ["#6f6a5c", "#a8a292"],
  ["#c9d3da", "#343d44"],
]);
