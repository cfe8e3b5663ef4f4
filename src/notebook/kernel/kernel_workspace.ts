import { parse } from "@std/jsonc";
import { DataFormatError, VindkitError } from "../../api/errors.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { buildLinkedLock } from "../../disk/linked_lock.ts";
import {
  addressOf,
  type Config,
  findPath,
  LIBRARY,
  LIBRARY_ROOT,
  toFileUrl,
} from "./kernel_files.ts";
import type { KernelClient } from "./kernel_client.ts";

const CONFIG_NAMES = ["deno.json", "deno.jsonc"];

/** Folders of a kernel whose code can import this library by its name. */
export interface KernelWorkspace extends AsyncDisposable {
  /** Folder in which it starts: its kernel uses the nearest `deno.json` from there upward, and has no option for one. */
  readonly startFolder: string;
  /** Folder from which relative paths and imports of the code are resolved. */
  readonly folder: string;
  /** Temporary folder to remove at the end; "" for none. */
  readonly temporary: string;
}

/** A workspace with a copy of the folder tree, but no files. */
interface WorkspaceMirror extends KernelWorkspace {
  /** Makes the copy of a folder if it is missing, and returns its path. */
  mirror(folder: string): Promise<string>;
}

/** A `deno.json` and its address. */
interface ConfigFile {
  readonly url: URL;
  readonly config: Config;
}

/** Reads a configuration; `undefined` if the file is missing. */
async function readConfig(url: URL): Promise<ConfigFile | undefined> {
  const text = await ignoreMissing(Deno.readTextFile(url));
  if (text === undefined) return undefined;
  try {
    return { url, config: parse(text) as Config ?? {} };
  } catch (cause) {
    const problem = (cause as Error).message;
    throw new DataFormatError(`Cannot read ${decodeURIComponent(url.pathname)}: ${problem}`, {
      cause,
    });
  }
}

/** Finds the configuration that Deno uses for a folder: the nearest one upward. */
async function findConfig(folder: URL): Promise<ConfigFile | undefined> {
  for (const name of CONFIG_NAMES) {
    const found = await readConfig(new URL(name, folder));
    if (found) return found;
  }
  const above = new URL("../", folder);
  return above.href === folder.href ? undefined : await findConfig(above);
}

/**
 * Finds the address of the configuration that Deno uses for a folder.
 *
 * @returns "" if there is no configuration
 */
export async function findConfigUrl(folder: string): Promise<string> {
  return (await findConfig(toFileUrl(folder + "/")))?.url.href ?? "";
}

/** Whether a configuration maps the name of this library. */
function knowsLibrary({ config: { name, imports = {} } }: ConfigFile): boolean {
  return name === LIBRARY.name || LIBRARY.name in imports;
}

/** The imports of a configuration with absolute addresses, so that they work in any folder. */
function resolveImports(found: ConfigFile | undefined): Record<string, string> {
  if (!found) return {};
  const { url, config: { name, exports = {}, imports = {} } } = found;
  const own = Object.entries(exports).map(([key, path]) => [`${name}${key.slice(1)}`, path]);
  return Object.fromEntries(
    [...Object.entries(imports), ...own].map(([key, address]) => [
      key,
      /^\.{0,2}\//.test(address) ? new URL(address, url).href : address,
    ]),
  );
}

/** The imports of this library together with its own exports. */
function listLibraryImports(): Record<string, string> {
  const { name, exports = {}, imports = {} } = LIBRARY;
  const own = Object.keys(exports).map((key) => [name + key.slice(1), addressOf(key)]);
  return {
    ...resolveImports({ url: LIBRARY_ROOT, config: { imports } }),
    ...Object.fromEntries(own),
  };
}

/** Writes the lock file of a checkout for a folder, with the same versions of packages; a package has none. */
async function writeLock(folder: string): Promise<void> {
  const lock = findPath("deno.lock");
  const text = lock && await buildLinkedLock({ ...LIBRARY, lock });
  if (text) await Deno.writeTextFile(`${folder}/deno.lock`, text);
}

/** Splits a path into its drive, as "/C:" or "", and the path from the root. */
function splitDrive(folder: string): [drive: string, path: string] {
  const [, drive = "", path] = /^(\/[A-Za-z]:)?(\/.*)$/.exec(toFileUrl(folder).pathname)!;
  return [drive, decodeURIComponent(path)];
}

/**
 * Makes a temporary folder with a `deno.json` that has the imports of this library and those of the folder's own
 * configuration, and below it an empty copy of the folder's path. Relative imports from there are mapped to the real
 * files.
 */
export async function mirrorWorkspace(folder: string): Promise<WorkspaceMirror> {
  const [drive] = splitDrive(folder);
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "vindkit-workspace-" }));
  const remove = () => Deno.remove(root, { recursive: true });
  try {
    const own = await findConfig(toFileUrl(folder + "/"));
    const back = { [toFileUrl(root + "/").href]: `file://${drive}/` };
    const known = listLibraryImports();
    const mirror = async (folder: string) => {
      const copy = root + splitDrive(folder)[1];
      await Deno.mkdir(copy, { recursive: true });
      return copy;
    };
    const config = {
      imports: { ...known, ...resolveImports(own), ...back },
      // Names that a notebook's project maps otherwise keep their meaning within this library.
      scopes: { [LIBRARY_ROOT.href]: known },
      nodeModulesDir: "none",
      compilerOptions: { ...LIBRARY.compilerOptions, ...own?.config.compilerOptions },
    };
    await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
    await writeLock(root); // it is not frozen: a notebook may import further packages
    const startFolder = await mirror(folder);
    return { startFolder, folder, temporary: root, mirror, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Finds where a kernel must start for the code of a folder: in the folder itself if its `deno.json` maps this library,
 * else in a mirror of it.
 */
export async function findWorkspace(folder: string): Promise<KernelWorkspace> {
  const real = await Deno.realPath(folder);
  const found = await findConfig(toFileUrl(real + "/"));
  if (found && knowsLibrary(found)) {
    return {
      startFolder: real,
      folder: real,
      temporary: "",
      [Symbol.asyncDispose]: async () => {},
    };
  }
  return await mirrorWorkspace(real);
}

/**
 * Changes the working folder of a kernel from that of its start to that of its code.
 *
 * @throws {VindkitError} If the kernel cannot enter it
 */
export async function enterFolder(workspace: KernelWorkspace, client: KernelClient): Promise<void> {
  const { startFolder, folder } = workspace;
  if (startFolder === folder) return;
  const { reply } = await client.executeSilently(`Deno.chdir(${JSON.stringify(folder)})`);
  const { status, evalue } = await reply;
  if (status !== "ok") throw new VindkitError(`Cannot enter ${folder}: ${evalue}`);
}
