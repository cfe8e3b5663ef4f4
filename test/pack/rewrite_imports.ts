import { importsOf } from "../architecture/_imports.ts";

/** Targets of names, as in the `imports` of a `deno.json`. */
export type ImportMap = Readonly<Record<string, string>>;

/** The relative path between two files, both given from the root. */
function relativePath(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const parts = to.split("/");
  while (folders.length > 0 && folders[0] === parts[0]) {
    folders.shift();
    parts.shift();
  }
  return (folders.length === 0 ? "./" : "../".repeat(folders.length)) + parts.join("/");
}

/** Target of a specifier; `undefined` if the map does not have it. */
function addressOf(specifier: string, map: ImportMap): string | undefined {
  const key = Object.keys(map).find((key) =>
    key === specifier || key.endsWith("/") && specifier.startsWith(key)
  );
  return key === undefined ? undefined : map[key] + specifier.slice(key.length);
}

/**
 * Rewrites the imports of a source file to work without an import map: names become addresses of npm packages or
 * paths of package files.
 *
 * @param source Text of the file
 * @param path Its path, from the root
 * @param map The import map to replace
 * @throws {Error} If an import is computed, or a name is not in the map
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
