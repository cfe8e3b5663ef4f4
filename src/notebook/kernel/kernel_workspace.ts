import { parse } from "@std/jsonc";
import { DataFormatError, VindkitError } from "../../api/errors.ts";
import { toFileUrl } from "./file_url.ts";
import type { KernelClient } from "./kernel_client.ts";
import { addressOf, type Config, findPath, LIBRARY, LIBRARY_ROOT } from "./library.ts";

const CONFIG_NAMES = ["deno.json", "deno.jsonc"];

/** Where a kernel starts so that the code in it knows this library by its name. */
export interface KernelWorkspace extends AsyncDisposable {
  /** Folder that it starts in: Deno takes the nearest `deno.json` from there upward, and no other way to name one. */
  readonly startFolder: string;
  /** Folder that relative paths and imports of the code start from. */
  readonly folder: string;
  /** Folder that is removed in the end; "" for none. */
  readonly temporary: string;
}

/** A workspace that stands for the whole disk. */
interface WorkspaceMirror extends KernelWorkspace {
  /** The place that stands for a folder, which is made where it is missing. */
  mirrorOf(folder: string): Promise<string>;
}

/** A configuration, and where it lies. */
interface ConfigFile {
  readonly url: URL;
  readonly config: Config;
}

/** Reads a configuration; `undefined` where there is none. */
async function readConfig(url: URL): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(url);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    return { url, config: parse(text) as Config ?? {} };
  } catch (cause) {
    const problem = (cause as Error).message;
    throw new DataFormatError(`Cannot read ${decodeURIComponent(url.pathname)}: ${problem}`, {
      cause,
    });
  }
}

/** The configuration that Deno finds for a folder. */
async function findConfig(folder: URL): Promise<ConfigFile | undefined> {
  for (const name of CONFIG_NAMES) {
    const found = await readConfig(new URL(name, folder));
    if (found) return found;
  }
  const above = new URL("../", folder);
  return above.href === folder.href ? undefined : await findConfig(above);
}

/**
 * Where the configuration lies that Deno finds for a folder.
 *
 * @returns Its address; "" where there is none
 */
export async function findConfigUrl(folder: string): Promise<string> {
  return (await findConfig(toFileUrl(folder + "/")))?.url.href ?? "";
}

/** Whether a configuration says what this library is. */
function knowsLibrary({ config: { name, imports = {} } }: ConfigFile): boolean {
  return name === LIBRARY.name || LIBRARY.name in imports;
}

/** The imports of a configuration, wherever they are asked for. */
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

/** The imports of this library, its own exports by their names among them. */
function listLibraryImports(): Record<string, string> {
  const { name, exports = {}, imports = {} } = LIBRARY;
  const own = Object.keys(exports).map((key) => [name + key.slice(1), addressOf(key)]);
  return {
    ...resolveImports({ url: LIBRARY_ROOT, config: { imports } }),
    ...Object.fromEntries(own),
  };
}

/** Copies the lock of this library: the same versions as there, where it is a checkout. */
async function copyLock(folder: string): Promise<void> {
  const lock = findPath("deno.lock");
  if (lock === undefined) return;
  await Deno.copyFile(lock, `${folder}/deno.lock`).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // a package has no lock
  });
}

/** Drive of a folder as it stands in an address, "" where there is none, and the path from its root. */
function splitDrive(folder: string): [drive: string, path: string] {
  const [, drive = "", path] = /^(\/[A-Za-z]:)?(\/.*)$/.exec(toFileUrl(folder).pathname)!;
  return [drive, decodeURIComponent(path)];
}

/**
 * A temporary folder that stands for the whole disk: below it lies the path of a folder once more, empty, and above
 * that a `deno.json` with the imports of this library and of the one that the folder belongs to. A relative import from
 * there is led back to the real disk.
 */
export async function mirrorWorkspace(folder: string): Promise<WorkspaceMirror> {
  const [drive] = splitDrive(folder);
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "vindkit-workspace-" }));
  const remove = () => Deno.remove(root, { recursive: true });
  try {
    const theirs = await findConfig(toFileUrl(folder + "/"));
    const back = { [toFileUrl(root + "/").href]: `file://${drive}/` };
    const known = listLibraryImports();
    const mirrorOf = async (folder: string) => {
      const place = root + splitDrive(folder)[1];
      await Deno.mkdir(place, { recursive: true });
      return place;
    };
    const config = {
      imports: { ...known, ...resolveImports(theirs), ...back },
      // What a notebook's project calls otherwise is the same as before to this library.
      scopes: { [LIBRARY_ROOT.href]: known },
      nodeModulesDir: "none",
      compilerOptions: { ...LIBRARY.compilerOptions, ...theirs?.config.compilerOptions },
    };
    await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
    await copyLock(root); // it is not frozen: a notebook may import further packages
    const startFolder = await mirrorOf(folder);
    return { startFolder, folder, temporary: root, mirrorOf, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Finds where a kernel must start for the code of a folder: there, where the `deno.json` that rules there knows this
 * library; else in a mirror of the folder.
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
 * Brings a kernel that has started to the folder of its code.
 *
 * @param workspace Where it has started
 * @param client Who speaks with it
 * @throws {VindkitError} If it cannot go there
 */
export async function enterFolder(workspace: KernelWorkspace, client: KernelClient): Promise<void> {
  const { startFolder, folder } = workspace;
  if (startFolder === folder) return;
  const { reply } = await client.executeSilently(`Deno.chdir(${JSON.stringify(folder)})`);
  const { status, evalue } = await reply;
  if (status !== "ok") throw new VindkitError(`Cannot enter ${folder}: ${evalue}`);
}
