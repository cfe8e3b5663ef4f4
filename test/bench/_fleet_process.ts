/** Runs a script of this folder in a separate process. */
export function runScript(script: string, ...args: string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all", // needed to read /proc/self/status
      new URL(script, import.meta.url).pathname,
      ...args,
    ],
    stdout: "piped",
  });
}

/** Runs an action with the server of a fleet, and ends the server. */
export async function withFleetServer<T>(act: (url: string) => Promise<T>): Promise<T> {
  const server = runScript("_fleet_server.ts").spawn();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    return await act((await reader.read()).value!.trim());
  } finally {
    server.kill();
    await reader.cancel();
    await server.status;
  }
}
