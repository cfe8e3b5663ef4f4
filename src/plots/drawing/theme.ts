/**
 * Colours of the charts on white, after Okabe and Ito: distinguishable for colour-blind readers, and by their lightness
 * in a grey print. Lines, points and bars have a contrast of at least 3 with the background; pale areas have an edge.
 */
export const palette = {
  /** First series; above a normal value. */
  blue: "#005d99",
  /** Below a normal value. */
  orange: "#ca8200",
  /** A less certain value, in place of blue. */
  paleBlue: "#8fc1de",
  /** A less certain value, in place of orange. */
  paleOrange: "#f5d694",
  /** Second series, drawn over the first. */
  black: "#1a1a1a",
  /** A value that needs attention. */
  vermilion: "#b03a00",
  /** No data. */
  missing: "#e2e2e2",
  /** Texts beside the data. */
  text: "#333333",
  /** Secondary texts, and measured points. */
  faint: "#666666",
  /** Lines of the grid. */
  grid: "#e6e6e6",
} as const;

/** Classes from far below to far above a normal value. Both sides darken away from it, blue further than orange, and each class has a lightness of its own, so that a grey print tells all of them apart. */
export const diverging = [
  "#e88520",
  "#fbaf4e",
  "#fecf91",
  "#fee8c9",
  "#f7f7f5",
  "#cce5f3",
  "#7ab5d9",
  "#038cc6",
  "#00466d",
] as const;

/** Nested intervals, from the widest to the narrowest. */
export const nested = ["#d4e6f2", "#a3cae3", "#6badd3", "#3587b9"] as const;

/** Ordered classes, from few to many: each is about as much further from the background than the one before, so that they keep their order in a grey print and for colour-blind readers. */
export const ramp = [
  "#8d981f",
  "#478b40",
  "#08765f",
  "#035d72",
  "#004572",
  "#0a2771",
  "#28054f",
] as const;

/** Fonts of the charts: the first draws each PNG (`fonts.ts`); in an SVG the others are fallbacks. */
export const FONT = "DejaVu Sans, Helvetica, Arial, sans-serif";

/** Sizes of texts, pixels. */
export const fontSize = { title: 15, subtitle: 11, axis: 10, caption: 10 } as const;

/**
 * Vega-Lite configuration of all charts. Marks have no ARIA labels: the picture has one, and a table beside it.
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
