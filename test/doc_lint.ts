/**
 * Runs `deno doc --lint` over the entries and over each type that their signatures name: every symbol is documented. A type
 * that nobody names stands in no entry (docs/decisions/surface.md), but its file exports it.
 * What Polars documents or not is its own matter: `pl` and `DataFrame` are re-exported.
 *
 * @module
 */
const ROOT = new URL("../", import.meta.url);
const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
const entries = Object.values<string>(exports);

/** Findings about our code. */
async function lint(files: readonly string[]): Promise<string[]> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...files],
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  return new TextDecoder().decode(stderr).split(/\n(?=error\[)/)
    .filter((part) => part.startsWith("error[") && !part.includes("/nodejs-polars/"));
}

/** An export of the type that a finding misses, from the file that declares it or from that of the import. */
async function exportOfMissing(finding: string): Promise<string[]> {
  const [, name, file] = /references private type '(\w+)'\s+--> (\S+?):\d/.exec(finding) ?? [];
  if (!name) return [];
  const imports = (await Deno.readTextFile(file)).matchAll(/\{([^{}]*)\} from "(\.[^"]+)"/g);
  const from = [...imports].find(([, names]) => new RegExp(`\\b${name}\\b`).test(names))?.[2];
  const { pathname } = new URL(from ?? file, `file://${file}`);
  return [`export type { ${name} } from "${pathname}";`];
}

const types = await Deno.makeTempFile({ suffix: ".ts" });
const missing = new Map<string, string>();
let findings: string[];
let known: number;
do {
  known = missing.size;
  await Deno.writeTextFile(types, ["export {};", ...missing.values()].join("\n"));
  findings = await lint([...entries, types]);
  for (const line of (await Promise.all(findings.map(exportOfMissing))).flat()) {
    if (!missing.has(line)) missing.set(line, line.replace(" }", ` as T${missing.size} }`));
  }
} while (missing.size > known);
await Deno.remove(types);

for (const finding of findings) console.error(finding);
console.log(`doc lint: ${findings.length} findings, ${missing.size} types beside the entries`);
if (findings.length > 0) Deno.exit(1);
