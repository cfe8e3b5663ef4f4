import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Output of a task. */
export interface TaskOutput {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a task of the project as a user without environment variables would. */
export async function runTask(...words: readonly string[]): Promise<TaskOutput> {
  return await runTaskWith({}, ...words);
}

/** Runs a task of the project as a user with some environment variables would. */
export async function runTaskWith(
  variables: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<TaskOutput> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...words],
    cwd: ROOT,
    env: { VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "", NO_COLOR: "1", ...variables },
  }).output();
  // `deno cache`, the first step of a task, prints downloads, and asks again if so far only a lock was used.
  const text = (bytes: Uint8Array) =>
    new TextDecoder().decode(bytes).replaceAll(/^Download https:\S+\n/gm, "");
  return { code, out: text(stdout), error: text(stderr) };
}

/** Runs a task that must succeed, and returns its output. */
export async function runSuccessfully(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await runTask(...words);
  assertEquals(code, 0, error);
  return out;
}
