import project from "../../../deno.json" with { type: "json" };

/** What of a `deno.json` bears on the code of a notebook. */
export interface Config {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

/** Where this library is: a checkout or a packed folder on the disk, or an address. */
export const LIBRARY_ROOT: URL = new URL("../../../", import.meta.url);

/** This library's own `deno.json`. */
export const LIBRARY: Config & { readonly name: string } = project;

/** Its name with its version on JSR, which Deno imports by no other; `undefined` where it comes from elsewhere. */
function findJsrPackage({ origin, pathname }: URL): string | undefined {
  const [, name, version] = /^\/(@[^/]+\/[^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  return origin === "https://jsr.io" && name ? `jsr:${name}@${version}` : undefined;
}

/**
 * What imports an export of this library from anywhere.
 *
 * @param key The export, such as "./notebook"
 * @param root Where the library is
 */
export function addressOf(key: string, root: URL = LIBRARY_ROOT): string {
  const onJsr = findJsrPackage(root);
  return onJsr === undefined ? new URL(LIBRARY.exports![key], root).href : onJsr + key.slice(1);
}

/**
 * The path of a folder or file of this library on the disk.
 *
 * @returns `undefined` where the library is not on the disk
 */
export function findPath(relative: string, root: URL = LIBRARY_ROOT): string | undefined {
  if (root.protocol !== "file:") return undefined;
  const path = decodeURIComponent(new URL(relative, root).pathname);
  return Deno.build.os === "windows" ? path.slice(1).replaceAll("/", "\\") : path;
}
