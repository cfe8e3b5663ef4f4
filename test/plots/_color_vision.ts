type Rgb = readonly [number, number, number];

/** Kinds of colour vision that the tests check. */
export type Sight = "normal" | "protanopia" | "deuteranopia" | "tritanopia" | "grey";

/** Linear RGB as seen without one kind of cone: Machado, Oliveira, Fernandes 2009, severity 1. */
const MATRICES: Record<Exclude<Sight, "normal" | "grey">, readonly Rgb[]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function toLinearRgb(color: string): Rgb {
  const parts = /^#(..)(..)(..)$/.exec(color)!.slice(1).map((hex) => parseInt(hex, 16) / 255);
  const [r, g, b] = parts.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return [r, g, b];
}

function computeLuminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function simulateSight(color: string, sight: Sight): Rgb {
  const rgb = toLinearRgb(color);
  if (sight === "normal") return rgb;
  const grey = computeLuminance(rgb);
  if (sight === "grey") return [grey, grey, grey];
  const [r, g, b] = MATRICES[sight].map((row) =>
    Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]))
  );
  return [r, g, b];
}

/** CIE L*a*b* under D65. */
function toLab([r, g, b]: Rgb): Rgb {
  const [x, y, z] = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
    computeLuminance([r, g, b]),
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
  ].map((value) => value > 216 / 24389 ? Math.cbrt(value) : (24389 / 27 * value + 16) / 116);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Difference of two colours for a kind of colour vision, CIE 1976; from about 2 on it is noticeable side by side. */
export function computeDifference(a: string, b: string, sight: Sight): number {
  const [first, second] = [toLab(simulateSight(a, sight)), toLab(simulateSight(b, sight))];
  return Math.hypot(...first.map((value, i) => value - second[i]));
}

/** Contrast ratio of two colours by WCAG 2: 1 to 21. */
export function computeContrast(a: string, b: string): number {
  const [low, high] = [a, b].map((color) => computeLuminance(toLinearRgb(color))).sort((x, y) =>
    x - y
  );
  return (high + 0.05) / (low + 0.05);
}
