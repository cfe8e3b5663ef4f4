/** A server in a process of its own, so that it does not share the core of what is measured. */
export interface ServerProcess {
  /** Its address. */
  readonly url: string;
  /** Ends it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves one body to every request.
 *
 * @param path File that holds the body
 * @param headers Headers of the answer
 * @param pause Time that an answer takes, ms
 */
export async function startServer(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  pause = 0,
): Promise<ServerProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      `--allow-read=${path}`,
      "--allow-net=127.0.0.1",
      new URL("_static_server.ts", import.meta.url).pathname,
      path,
      JSON.stringify(headers),
      String(pause),
    ],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  return {
    url: value.trim(),
    async [Symbol.asyncDispose]() {
      child.kill();
      await reader.cancel();
      await child.status;
    },
  };
}
