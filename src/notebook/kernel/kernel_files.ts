import { ConfigurationError } from "../../api/errors.ts";
import { findDeno } from "../../disk/home.ts";

/**
 * Turns the error of a failed start into one that says that Deno is missing in the PATH, if that is the cause; returns
 * any other error unchanged.
 */
export function explainStartError(error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotFound) || findDeno() !== "deno") return error;
  return new ConfigurationError("Cannot start Deno: the PATH has no deno", {
    cause: error,
    hint: `Add the folder of ${Deno.execPath()} to it`,
  });
}

/** Runs Deno and waits for its end: whether it succeeded, and what it wrote, but for a stack trace of Deno's own. */
export async function runDeno(
  args: readonly string[],
  options: { cwd?: string; signal?: AbortSignal } = {},
) {
  const { success, stdout, stderr } = await new Deno.Command(findDeno(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
    ...options,
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out, err: err.replace(/\n+Stack backtrace:[^]*$/, "\n") };
}

/** Converts a path to a URL; a path that ends in a slash is a folder. */
export function toFileUrl(path: string): URL {
  const url = new URL("file:///");
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  url.pathname = slashed.replaceAll("%", "%25").replaceAll("\\", "%5C");
  return url;
}

const SEPARATORS = Deno.build.os === "windows" ? ["/", "\\"] : ["/"];

/** Position of the last separator; -1 if there is none. */
function findLastSeparator(path: string): number {
  return Math.max(...SEPARATORS.map((separator) => path.lastIndexOf(separator)));
}

/** Folder of a file; "." for a bare name. */
export function folderOf(path: string): string {
  const end = findLastSeparator(path);
  return end < 0 ? "." : path.slice(0, end) || "/";
}

/** Name of a notebook's file, without its ending. */
export function stemOf(path: string): string {
  return path.slice(findLastSeparator(path) + 1).replace(/\.ipynb$/, "");
}

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
