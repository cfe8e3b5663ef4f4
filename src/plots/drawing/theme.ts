/**
 * Colours of the charts on white, after Okabe and Ito: distinguishable for colour-blind readers, and by lightness in a grey
 * print. Each has a dark counterpart, where black and white swap places and pale areas become deep ones. Lines, points and
 * bars have a contrast of at least 3 with the background; pale areas have an edge.
 */
const named = {
  /** First series; above a normal value. */
  blue: ["#005d99", "#388dce"],
  /** Below a normal value. */
  orange: ["#ca8200", "#ecb94f"],
  /** A less certain value, instead of blue. */
  paleBlue: ["#8fc1de", "#1d5a86"],
  /** A less certain value, instead of orange. */
  paleOrange: ["#f5d694", "#6e4b05"],
  /** Second series, drawn over the first. */
  black: ["#1a1a1a", "#f0f0f0"],
  /** A value that needs attention. */
  vermilion: ["#b03a00", "#e8613a"],
  /** No data. */
  missing: ["#e2e2e2", "#3d3f42"],
  /** Texts next to the data. */
  text: ["#333333", "#d6d8da"],
  /** Secondary texts, and measured points. */
  faint: ["#666666", "#a4a9ae"],
  /** Lines of the grid. */
  grid: ["#e6e6e6", "#34383c"],
} as const;

/** The colours on white. */
export const palette = Object.fromEntries(
  Object.entries(named).map(([name, [light]]) => [name, light]),
) as { readonly [Name in keyof typeof named]: typeof named[Name][0] };

/**
 * Classes from far below to far above a normal value. Both sides darken away from it, blue further than orange (in the dark
 * they brighten, so the texts on them change with the background). Each class has a different lightness, so a grey print
 * distinguishes all of them.
 */
const DIVERGING = [
  ["#e88520", "#a65900"],
  ["#fbaf4e", "#80470a"],
  ["#fecf91", "#623c10"],
  ["#fee8c9", "#4a3417"],
  ["#f7f7f5", "#2b2d2f"],
  ["#cce5f3", "#1c3b52"],
  ["#7ab5d9", "#19567f"],
  ["#038cc6", "#1c6ea6"],
  ["#00466d", "#86c5f0"],
];

/** Nested intervals, from the widest to the narrowest. */
const NESTED = [["#d4e6f2", "#152f40"], ["#a3cae3", "#1a4662"], ["#6badd3", "#205e84"], [
  "#3587b9",
  "#2b79ab",
]];

/**
 * Ordered classes, from few to many. The steps away from the background are about equal, so the classes keep their order in
 * a grey print and for colour-blind readers.
 */
const RAMP = [
  ["#8d981f", "#7854b4"],
  ["#478b40", "#5a86d8"],
  ["#08765f", "#3ea6c8"],
  ["#035d72", "#35bfa2"],
  ["#004572", "#70d06a"],
  ["#0a2771", "#b4e044"],
  ["#28054f", "#fdf06a"],
];

/** The same on white. */
export const [diverging, nested, ramp] = [DIVERGING, NESTED, RAMP]
  .map((pairs): readonly string[] => pairs.map(([light]) => light));

/** Dark counterpart of each colour of a chart, by the colour on white. */
export const darkColors: ReadonlyMap<string, string> = new Map([
  ["white", "#14171a"],
  ...[...DIVERGING, ...NESTED, ...RAMP, ...Object.values(named)] as [string, string][],
  // Land, sea, borders, coasts and the graticule of the maps.
  ["#d5dcd0", "#3c443a"],
  ["#f3f8fb", "#171d22"],
  ["#98927f", "#7d776a"],
  ["#6f6a5c", "#a8a292"],
  ["#c9d3da", "#343d44"],
]);

/** Fonts of the charts: the first draws each PNG (`fonts.ts`); the others are fallbacks in an SVG. */
export const FONT = "DejaVu Sans, Helvetica, Arial, sans-serif";

/** Sizes of texts, pixels. */
export const fontSize = { title: 15, subtitle: 11, axis: 10, caption: 10 } as const;

/**
 * Vega-Lite configuration of all charts. Marks have no ARIA labels, because the picture has one and a table is next to it.
 */
export const chartConfig = {
  aria: false,
  background: "white",
  font: FONT,
  padding: 8,
  axis: {
    domainColor: palette.faint,
    gridColor: palette.grid,
    labelColor: palette.text,
    labelFontSize: fontSize.axis,
    labelLimit: 160,
    tickColor: palette.faint,
    tickSize: 4,
    titleColor: palette.text,
    titleFontSize: fontSize.axis,
    titleFontWeight: "normal",
    titlePadding: 8,
  },
  axisX: { grid: false, labelFlush: false },
  axisY: { domain: false, ticks: false, tickCount: 6 },
  concat: { spacing: 8 },
  facet: { spacing: 14 },
  header: {
    labelColor: palette.text,
    labelFontSize: fontSize.subtitle,
    labelFontWeight: "bold",
    labelLimit: 480,
  },
  legend: {
    columnPadding: 10,
    gradientLength: 250,
    gradientThickness: 10,
    labelColor: palette.text,
    labelFontSize: fontSize.axis,
    labelLimit: 260,
    offset: 8,
    orient: "top",
    symbolSize: 90,
    title: null,
    titleColor: palette.text,
    titleFontSize: fontSize.axis,
    titleFontWeight: "normal",
  },
  title: {
    anchor: "start",
    color: palette.black,
    font: FONT,
    fontSize: fontSize.title,
    frame: "group",
    limit: 0,
    offset: 10,
    subtitleColor: palette.text,
    subtitleFont: FONT,
    subtitleFontSize: fontSize.subtitle,
    subtitlePadding: 5,
  },
  view: { stroke: null },
} as const;
