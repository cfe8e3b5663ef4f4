/** Positions of pseudo-random gaps, the same in every run: from none to all. */
export function drawRandomGaps(seed: number, count: number): number[] {
  let state = seed * 2654435761 >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const share = random();
  return Array.from({ length: count }, (_, i) => i).filter(() => random() < share);
}
