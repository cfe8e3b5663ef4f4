/**
 * Names what was tried where the system refused it: its own message begins with the refusal. The cause keeps its code.
 *
 * @param what What was tried, such as "read /data/update.json"
 */
export function nameFailure(what: string, cause: unknown): Error {
  const { message } = cause as Error;
  return new Error(
    `Cannot ${what}: ${message}. Look at what is there, and whether this user may read and write it`,
    { cause },
  );
}
