/**
 * Colours of ordered classes from pale to dark: each is darker than the one before, so that they keep their order in a
 * grey print and for colour-blind readers (viridis, reversed).
 */
const RAMP = ["#fde725", "#90d743", "#35b779", "#21918c", "#31688e", "#443983", "#440154"];

/** Number of classes whose colours can be distinguished. */
export const MAX_CLASSES: number = RAMP.length;

/** Colours of `count` classes, from pale to dark. */
export function pickClassColors(count: number): string[] {
  if (count === 1) return [RAMP[3]];
  return Array.from(
    { length: count },
    (_, i) => RAMP[Math.round(i * (RAMP.length - 1) / (count - 1))],
  );
}

/** The smallest step of 1, 2 or 5 times a power of ten that divides a length into at most `most` parts. */
export function chooseRoundStep(length: number, most: number): number {
  const least = length / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ??
    10 * power;
}
