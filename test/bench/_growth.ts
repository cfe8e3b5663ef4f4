import type { Growth } from "./_growth_figures.ts";

/** Runs a piece of work in a separate process. */
export async function measureGrowth(work: string, url: string): Promise<Growth> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all", // needed to read /proc/self/status
      new URL("_growth_work.ts", import.meta.url).pathname,
      work,
      url,
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)) as Growth;
}
