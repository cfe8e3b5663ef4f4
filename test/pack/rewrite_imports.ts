import { importsOf } from "../architecture/_imports.ts";

/** What names lead to, as the `imports` of a `deno.json` say it. */
export type ImportMap = Readonly<Record<string, string>>;

/** The relative path from a file to another one, both seen from the root. */
function relativePath(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const parts = to.split("/");
  while (folders.length > 0 && folders[0] === parts[0]) {
    folders.shift();
    parts.shift();
  }
  return (folders.length === 0 ? "./" : "../".repeat(folders.length)) + parts.join("/");
}

/** What a specifier leads to; `undefined` where the map does not know it. */
function addressOf(specifier: string, map: ImportMap): string | undefined {
  const key = Object.keys(map).find((key) =>
    key === specifier || key.endsWith("/") && specifier.startsWith(key)
  );
  return key === undefined ? undefined : map[key] + specifier.slice(key.length);
}

/**
 * Rewrites the imports of a source file so that it needs no import map: names become addresses of npm packages, or
 * paths of files of the package.
 *
 * @param source Text of the file
 * @param path Its path, from the root
 * @param map The import map whose part it takes
 * @throws {Error} If an import is computed, or the map does not know a name
 */
export function rewriteImports(source: string, path: string, map: ImportMap): string {
  let rewritten = "";
  let end = 0;
  for (const { specifier, offset, line } of importsOf(source)) {
    if (specifier === null) {
      throw new Error(`Cannot pack ${path}:${line}: it computes what it imports`);
    }
    if (/^(?:\.{1,2}\/|[a-z][a-z0-9+.-]*:)/i.test(specifier)) continue;
    const address = addressOf(specifier, map);
    if (address === undefined) {
      throw new Error(`Cannot pack ${path}:${line}: deno.json does not declare "${specifier}"`);
    }
    rewritten += source.slice(end, offset) +
      (address.startsWith("./")
        ? relativePath(path, address.slice(2))
        : address.replace(/^npm:\//, "npm:"));
    end = offset + specifier.length;
  }
  return rewritten + source.slice(end);
}
