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

/** Folders of a kernel whose code can import this library by name. */
export interface KernelWorkspace extends AsyncDisposable {
  /** Start folder: the kernel uses the nearest `deno.json` in it and its parents, and has no option for one. */
  readonly startFolder: string;
  /** Folder from which relative paths and imports of the code are resolved. */
  readonly folder: string;
  /** Temporary folder to remove at the end; "" for none. */
  readonly temporary: string;
}

/** A workspace with a copy of the folder tree, without files. */
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
    throw new DataFormatError(
      `Cannot read ${decodeURIComponent(url.pathname)}: ${problem}. Correct this file`,
      { cause },
    );
  }
}

/** Finds the configuration that Deno uses for a folder: the nearest one in it and its parents. */
async function findConfig(folder: URL): Promise<ConfigFile | undefined> {
  for (const name of CONFIG_NAMES) {
    const config = await readConfig(new URL(name, folder));
    if (config) return config;
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

/** The imports of a configuration with absolute URLs, so they work in any folder. */
function resolveImports(file: ConfigFile | undefined): Record<string, string> {
  if (!file) return {};
  const { url, config: { name, exports = {}, imports = {} } } = file;
  const ownExports = Object.entries(exports).map(([key, path]) => [`${name}${key.slice(1)}`, path]);
  return Object.fromEntries(
    [...Object.entries(imports), ...ownExports].map(([key, address]) => [
      key,
      /^\.{0,2}\//.test(address) ? new URL(address, url).href : address,
    ]),
  );
}

/** The imports of this library, including its own exports. */
function listLibraryImports(): Record<string, string> {
  const { name, exports = {}, imports = {} } = LIBRARY;
  const ownExports = Object.keys(exports).map((key) => [name + key.slice(1), addressOf(key)]);
  return {
    ...resolveImports({ url: LIBRARY_ROOT, config: { imports } }),
    ...Object.fromEntries(ownExports),
  };
}

/** Writes the lock file of a checkout to a folder, for the same versions of packages; a package has no lock file. */
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
 * Makes a temporary folder with a `deno.json` that combines the imports of this library and of the folder's configuration,
 * and in it an empty copy of the folder's path. Relative imports from there are mapped to the real files.
 */
export async function mirrorWorkspace(folder: string): Promise<WorkspaceMirror> {
  const [drive] = splitDrive(folder);
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "vindkit-workspace-" }));
  const remove = () => Deno.remove(root, { recursive: true });
  try {
    const projectConfig = await findConfig(toFileUrl(folder + "/"));
    const back = { [toFileUrl(root + "/").href]: `file://${drive}/` };
    const libraryImports = listLibraryImports();
    const mirror = async (folder: string) => {
      const copy = root + splitDrive(folder)[1];
      await Deno.mkdir(copy, { recursive: true });
      return copy;
    };
    const config = {
      imports: { ...libraryImports, ...resolveImports(projectConfig), ...back },
      // This library keeps its own meaning of names that the notebook's project maps differently.
      scopes: { [LIBRARY_ROOT.href]: libraryImports },
      nodeModulesDir: "none",
      compilerOptions: { ...LIBRARY.compilerOptions, ...projectConfig?.config.compilerOptions },
    };
    await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
    await writeLock(root); // not frozen, because a notebook may import other packages
    const startFolder = await mirror(folder);
    return { startFolder, folder, temporary: root, mirror, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Finds the start folder of a kernel for the code of a folder: the folder itself if its `deno.json` maps this library, else
 * a mirror of it.
 */
export async function findWorkspace(folder: string): Promise<KernelWorkspace> {
  const real = await Deno.realPath(folder);
  const config = await findConfig(toFileUrl(real + "/"));
  if (config && knowsLibrary(config)) {
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
 * Changes the working folder of a kernel from its start folder to the folder of its code.
 *
 * @throws {VindkitError} If the kernel cannot enter it
 */
export async function enterFolder(workspace: KernelWorkspace, client: KernelClient): Promise<void> {
  const { startFolder, folder } = workspace;
  if (startFolder === folder) return;
  const { reply } = await client.executeSilently(`Deno.chdir(${JSON.stringify(folder)})`);
  const { status, evalue } = await reply;
  if (status !== "ok") {
    throw new VindkitError(
      `Cannot change to the folder ${folder}: ${evalue}. Check that it exists and that you may open it`,
    );
  }
}
