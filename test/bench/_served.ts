/** A server in a separate process, so it does not share a core with the measured work. */
export interface ServerProcess {
  /** Its address. */
  readonly url: string;
  /** Ends it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server that answers every request with one body.
 *
 * @param path File with the body
 * @param headers Headers of the answer
 * @param pause Delay of an answer, ms
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
