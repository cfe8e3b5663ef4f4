/** A Weibull distribution of wind speeds. */
export interface Weibull {
  /** Scale A, m/s. */
  readonly scale: number;
  /** Shape k. */
  readonly shape: number;
}

/** Coefficients of Lanczos' approximation with g = 7, exact to 15 digits. */
const LANCZOS = [
  0.99999999999980993,
  676.5203681218851,
  -1259.1392167224028,
  771.32342877765313,
  -176.61502916214059,
  12.507343278686905,
  -0.13857109526572012,
  9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** Logarithm of the gamma function, for arguments of at least 1. */
export function logGamma(x: number): number {
  const z = x - 1;
  const sum = LANCZOS.slice(1).reduce((total, c, i) => total + c / (z + i + 1), LANCZOS[0]);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Range in which the shape is searched. */
const SHAPES = [0.8, 12] as const;

/**
 * Fits a Weibull distribution the way of the European Wind Atlas (Troen and Petersen 1989): it has the mean energy of
 * the wind speeds (their mean cube) and their share above the mean. It needs no special treatment of calms and is
 * accurate where the energy is.
 *
 * @param speeds Wind speeds, m/s, 0 or more, without NaN
 * @returns The distribution; `undefined` where no distribution has both: too few, equal or two-peaked speeds
 */
export function fitWeibull(speeds: Float64Array): Weibull | undefined {
  let [sum, cubes] = [0, 0];
  for (const speed of speeds) {
    sum += speed;
    cubes += speed ** 3;
  }
  const [mean, cube] = [sum / speeds.length, cubes / speeds.length];
  let above = 0;
  for (const speed of speeds) if (speed > mean) above++;
  const share = above / speeds.length;
  if (!(cube > 0) || above === 0) return undefined;
  const scaleOf = (shape: number) => Math.exp((Math.log(cube) - logGamma(1 + 3 / shape)) / 3);
  /** Share above the mean of the distribution with this shape, less that of the speeds. */
  const error = (shape: number) => Math.exp(-((mean / scaleOf(shape)) ** shape)) - share;
  let [low, high]: number[] = [...SHAPES];
  const sign = Math.sign(error(low));
  if (sign === Math.sign(error(high))) return undefined;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (Math.sign(error(middle)) === sign) low = middle;
    else high = middle;
  }
  return { scale: scaleOf(low), shape: low };
}

/** Share of a Weibull distribution below a speed, m/s. */
export function weibullBelow({ scale, shape }: Weibull, speed: number): number {
  return speed <= 0 ? 0 : 1 - Math.exp(-((speed / scale) ** shape));
}

/** Density of a Weibull distribution at a speed, per m/s. */
export function weibullDensity({ scale, shape }: Weibull, speed: number): number {
  if (speed <= 0) return shape > 1 ? 0 : shape === 1 ? 1 / scale : NaN;
  const x = speed / scale;
  return shape / scale * x ** (shape - 1) * Math.exp(-(x ** shape));
}
