import project from "../../../deno.json" with { type: "json" };
import { ConfigurationError } from "../../api/errors.ts";
import { findDeno } from "../../disk/home.ts";

/**
 * Replaces the error of a failed start by one that says that Deno is missing in the PATH, if that is the cause; returns
 * other errors unchanged.
 */
export function explainStartError(error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotFound) || findDeno() !== "deno") return error;
  return new ConfigurationError("Cannot start Deno: deno is not in the PATH", {
    cause: error,
    hint: `Add the folder of ${Deno.execPath()} to the PATH`,
  });
}

/** Runs Deno to its end; returns whether it succeeded, and its output without Deno's own stack traces. */
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
export const LIBRARY: Config & { readonly name: string; readonly version: string } = project;

/** Name and version of a package on JSR, the only form in which Deno imports it; `undefined` for other URLs. */
function findJsrPackage({ origin, pathname }: URL): string | undefined {
  const [, name, version] = /^\/(@[^/]+\/[^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  return origin === "https://jsr.io" && name ? `jsr:${name}@${version}` : undefined;
}

/**
 * Specifier for importing an export of this library from any folder.
 *
 * @param key The export, such as "./notebook"
 */
export function addressOf(key: string): string {
  const onJsr = findJsrPackage(LIBRARY_ROOT);
  return onJsr ? onJsr + key.slice(1) : new URL(LIBRARY.exports![key], LIBRARY_ROOT).href;
}

/**
 * Finds the path of a folder or file of this library.
 *
 * @returns `undefined` if the library is not on the disk
 */
export function findPath(relative: string): string | undefined {
  if (LIBRARY_ROOT.protocol !== "file:") return undefined;
  const path = decodeURIComponent(new URL(relative, LIBRARY_ROOT).pathname);
  return Deno.build.os === "windows" ? path.slice(1).replaceAll("/", "\\") : path;
}
