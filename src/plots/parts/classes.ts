import { ramp } from "../drawing/theme.ts";

/** Number of classes whose colours can be distinguished. */
export const MAX_CLASSES: number = ramp.length;

/** Colours of `count` classes, from pale to dark. */
export function pickClassColors(count: number): string[] {
  if (count === 1) return [ramp[3]];
  return Array.from(
    { length: count },
    (_, i) => ramp[Math.round(i * (ramp.length - 1) / (count - 1))],
  );
}

/** The smallest step of 1, 2 or 5 times a power of ten that divides a length into at most `most` parts. */
export function chooseRoundStep(length: number, most: number): number {
  const least = length / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ??
    10 * power;
}
