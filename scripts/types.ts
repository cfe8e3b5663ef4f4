/**
 * Writes `types.ts`: types that signatures of the entries use, but no other entry exports.
 *
 * @module
 */
const ROOT = new URL("../", import.meta.url);

const PATH = "types.ts";

const HEAD = `/**
 * The types that signatures of the other entries name: for programs that wrap a call, or declare what one takes or gives.
 * \`deno task docs\` writes this file.
 *
 * @module
 */
`;

/** A type: its name, and the file that declares it. */
interface Declared {
  readonly name: string;
  readonly file: string;
}

/**
 * Runs `deno doc --lint` over the entries.
 *
 * @returns Findings about our code: what Polars documents or not is its own matter, \`pl\` and \`DataFrame\` are re-exported
 */
export async function lintEntries(): Promise<string[]> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const { stderr } = await new Deno.Command("deno", {
    args: ["doc", "--lint", ...Object.values<string>(exports)],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  return new TextDecoder().decode(stderr).split(/\n(?=error\[)/)
    .filter((part) => part.startsWith("error[") && !part.includes("/nodejs-polars/"));
}

/** The type that a finding misses in the entries, if its file or an import of that file declares it. */
export async function findUnnamed(finding: string): Promise<Declared[]> {
  const [, name, path] = /references private type '(\w+)'\s+--> (\S+?):\d/.exec(finding) ?? [];
  if (!name) return [];
  const imports = (await Deno.readTextFile(path)).matchAll(/\{([^{}]*)\} from "(\.[^"]+)"/g);
  const from = [...imports].find(([, names]) => new RegExp(`\\b${name}\\b`).test(names))?.[2];
  const { href } = new URL(from ?? path, `file://${path}`);
  return [{ name, file: href.slice(ROOT.href.length) }];
}

async function writeFile(types: readonly Declared[]): Promise<void> {
  const files = Map.groupBy(types, ({ file }) => file);
  const lines = [...files].sort(([a], [b]) => a < b ? -1 : 1).map(([file, all]) =>
    `export type { ${all.map(({ name }) => name).sort().join(", ")} } from "./${file}";\n`
  );
  await Deno.writeTextFile(new URL(PATH, ROOT), HEAD + (lines.join("") || "export {};\n"));
}

/**
 * Rewrites the file: lints the entries without it, then adds missing types until none is missing.
 *
 * @returns Number of types
 */
export async function writeTypes(): Promise<number> {
  const types = new Map<string, Declared>();
  let known: number;
  do {
    known = types.size;
    await writeFile([...types.values()]);
    const found = await Promise.all((await lintEntries()).map(findUnnamed));
    for (const type of found.flat()) types.set(type.name, type);
  } while (types.size > known);
  await new Deno.Command("deno", { args: ["fmt", "--quiet", PATH], cwd: ROOT }).output();
  return types.size;
}
