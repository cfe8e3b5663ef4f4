/** A promise that only rejects: when a signal is aborted, or at once where it is already. */
export function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal?.aborted) reject(signal.reason);
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
