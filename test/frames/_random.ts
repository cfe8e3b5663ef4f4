/** Random whole numbers below a bound, the same ones for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // Mulberry32
    state = state + 0x6d2b79f5 | 0;
    let t = Math.imul(state ^ state >>> 15, state | 1);
    t = t + Math.imul(t ^ t >>> 7, t | 61) ^ t;
    return Math.floor(((t ^ t >>> 14) >>> 0) / 2 ** 32 * below);
  };
}
