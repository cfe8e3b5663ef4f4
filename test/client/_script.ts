/** Result of a script. */
export interface ScriptRun {
  /** Its output on both streams. */
  readonly printed: string;
  /** Names of the files left in its home folder. */
  readonly left: string[];
}

/**
 * Runs a script that imports the library in a separate process, because an environment belongs to a process.
 *
 * @param code The script
 * @param env Its variables; `VINDKIT_HOME` is a new folder
 */
export async function runScript(
  code: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptRun> {
  const folder = await Deno.makeTempDir();
  const [script, home] = [`${folder}/script.ts`, `${folder}/home`];
  await Deno.mkdir(home);
  await Deno.writeTextFile(script, code);
  try {
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "-A", "--config", config, script],
      env: { ...env, VINDKIT_HOME: home, NO_COLOR: "1" },
    }).output();
    return {
      printed: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr),
      left: [...Deno.readDirSync(home)].map(({ name }) => name),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
