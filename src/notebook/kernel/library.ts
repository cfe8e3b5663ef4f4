import project from "../../../deno.json" with { type: "json" };

/** The parts of a `deno.json` that apply to the code of a notebook. */
export interface Config {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

/** Root of this library: a checkout or a packed folder on the disk, or an address. */
export const LIBRARY_ROOT: URL = new URL("../../../", import.meta.url);

/** This library's own `deno.json`. */
export const LIBRARY: Config & { readonly name: string } = project;

/** Name and version of a package on JSR, the only form in which Deno imports it; `undefined` for other addresses. */
function findJsrPackage({ origin, pathname }: URL): string | undefined {
  const [, name, version] = /^\/(@[^/]+\/[^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  return origin === "https://jsr.io" && name ? `jsr:${name}@${version}` : undefined;
}

/**
 * Address from which an export of this library can be imported in any folder.
 *
 * @param key The export, such as "./notebook"
 * @param root Root of the library
 */
export function addressOf(key: string, root: URL = LIBRARY_ROOT): string {
  const onJsr = findJsrPackage(root);
  return onJsr === undefined ? new URL(LIBRARY.exports![key], root).href : onJsr + key.slice(1);
}

/**
 * Finds the path of a folder or file of this library.
 *
 * @returns `undefined` if the library is not on the disk
 */
export function findPath(relative: string, root: URL = LIBRARY_ROOT): string | undefined {
  if (root.protocol !== "file:") return undefined;
  const path = decodeURIComponent(new URL(relative, root).pathname);
  return Deno.build.os === "windows" ? path.slice(1).replaceAll("/", "\\") : path;
}
