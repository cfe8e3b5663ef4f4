/**
 * Makes the package to publish: with `@std` from JSR, and with npm packages alone. Imports of the npm form are
 * rewritten, so other projects can use it by path.
 *
 * @module
 */
import { type ImportMap, rewriteImports } from "./rewrite_imports.ts";

const ROOT = new URL("../../", import.meta.url);

interface Config {
  readonly imports: ImportMap;
  readonly publish: { readonly include: readonly string[]; readonly exclude?: readonly string[] };
  readonly [field: string]: unknown;
}

/** Fields of a `deno.json` that concern users of the package. */
const PACKAGE_FIELDS = ["name", "version", "license", "exports", "compilerOptions"];

async function readConfig(name: string): Promise<Config> {
  return JSON.parse(await Deno.readTextFile(new URL(name, ROOT)));
}

/** Paths of the files that a configuration publishes, from the root. */
function publishedFiles({ publish: { include, exclude = [] } }: Config): string[] {
  const below = (path: string): string[] => {
    if (exclude.includes(path)) return [];
    if (Deno.statSync(new URL(path, ROOT)).isFile) return [path];
    return [...Deno.readDirSync(new URL(path, ROOT))].flatMap(({ name }) =>
      below(`${path}/${name}`)
    );
  };
  return include.flatMap(below).filter((path) => path !== "deno.json").sort();
}

/** The `deno.json` of a package, without tasks and without imports for tests. */
function packageConfig(config: Config): Record<string, unknown> {
  const imports = Object.entries(config.imports).filter(([, to]) => !to.startsWith("./test/"));
  return {
    ...Object.fromEntries(PACKAGE_FIELDS.map((field) => [field, config[field]])),
    imports: Object.fromEntries(imports),
    lock: false,
    nodeModulesDir: "none",
  };
}

/** Removes links to files that only a checkout has: notebooks, deployment, contributing. */
function unlink(text: string, path: string, paths: readonly string[]): string {
  return text.replace(/\[([^\]]+)\]\(([^)#:\s]+)(?:#[^)]*)?\)/g, (link, label, to) => {
    const { pathname } = new URL(to, `file:///${path}`);
    return paths.some((other) => `/${other}`.startsWith(pathname)) ? link : label;
  });
}

/** Adapts a page for users of the package: replaces text about a checkout by the comment after it. */
function addressReader(text: string): string {
  return text.replaceAll(/<!-- checkout -->[^]*?<!-- package\n([^]*?)-->\n/g, "$1");
}

async function writePackage(
  configName: string,
  folder: string,
  convert: (text: string, path: string, config: Config) => string,
): Promise<number> {
  const config = await readConfig(configName);
  const paths = publishedFiles(config);
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  for (const path of paths) {
    const from = new URL(path, ROOT);
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    if (!/\.(ts|md)$/.test(path)) {
      await Deno.writeFile(`${folder}/${path}`, await Deno.readFile(from));
      continue;
    }
    const text = await Deno.readTextFile(from);
    const converted = path.endsWith(".ts")
      ? convert(text, path, config)
      : unlink(addressReader(text), path, paths);
    await Deno.writeTextFile(`${folder}/${path}`, converted);
  }
  const text = JSON.stringify(packageConfig(config), null, 2);
  await Deno.writeTextFile(`${folder}/deno.json`, `${text}\n`);
  return paths.length + 1;
}

/**
 * Writes the package twice below a folder and replaces its contents: `jsr/`, whose names `deno publish` resolves, and
 * `npm/`, which needs no import map.
 *
 * @returns Number of files of each
 */
export async function pack(to: string): Promise<{ jsr: number; npm: number }> {
  return {
    jsr: await writePackage("deno.jsr.json", `${to}/jsr`, (text) => text),
    npm: await writePackage(
      "deno.json",
      `${to}/npm`,
      (text, path, { imports }) => rewriteImports(text, path, imports),
    ),
  };
}
