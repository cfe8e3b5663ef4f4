import { shortest } from "./_timing.ts";
import type { BenchmarkRow } from "./_measured.ts";

const ROOT = new URL("../../", import.meta.url);

async function run(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--no-check", ...args],
    cwd: ROOT,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Measures a process that imports the library and ends, less a process that imports nothing. */
export async function coldImport(): Promise<BenchmarkRow> {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/empty.ts`, "");
  await Deno.writeTextFile(`${folder}/import.ts`, `import "${new URL("mod.ts", ROOT)}";`);
  const config = ["--config", new URL("deno.json", ROOT).pathname];
  const empty = await shortest(5, () => run(...config, `${folder}/empty.ts`));
  const whole = await shortest(5, () => run(...config, `${folder}/import.ts`));
  await Deno.remove(folder, { recursive: true });
  const milliseconds = whole - empty;
  return {
    what: 'cold import "./mod.ts"',
    measured: `${milliseconds.toFixed(0)} ms (an empty script: ${empty.toFixed(0)} ms)`,
    bound: "400 ms or less",
    holds: milliseconds <= 400,
  };
}
