import { VindkitError } from "../api/errors.ts";
import { fileUrl } from "./_file_url.ts";
import type { KernelClient } from "./kernel_client.ts";

/** Name by which code imports this library. */
const LIBRARY = "@vindkit/vindkit";

const CONFIG_NAMES = ["deno.json", "deno.jsonc"];

/** The checkout that this file belongs to. */
const PROJECT = new URL("../../", import.meta.url);

/** Where a kernel starts so that the code in it knows this library by its name. */
export interface KernelWorkspace extends AsyncDisposable {
  /** Folder that it starts in: Deno takes the nearest `deno.json` from there upward, and no other way to name one. */
  readonly startFolder: string;
  /** Folder that relative paths and imports of the code start from. */
  readonly folder: string;
}

/** A workspace that stands for the whole disk. */
export interface MirroredWorkspace extends KernelWorkspace {
  /** The place that stands for a folder, which is made where it is missing. */
  mirrorOf(folder: string): Promise<string>;
}

/** What of a `deno.json` bears on the code of a notebook. */
interface Config {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly compilerOptions?: unknown;
}

/** The configuration that Deno finds for a folder. */
async function nearestConfig(folder: URL): Promise<{ url: URL; text: string } | undefined> {
  for (const name of CONFIG_NAMES) {
    const url = new URL(name, folder);
    try {
      return { url, text: await Deno.readTextFile(url) };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  const above = new URL("../", folder);
  return above.href === folder.href ? undefined : await nearestConfig(above);
}

/** Whether the configuration for a folder knows this library. */
async function knowsLibrary(folder: URL): Promise<boolean> {
  return (await nearestConfig(folder))?.text.includes(JSON.stringify(LIBRARY)) ?? false;
}

/** The imports of a project, wherever they are asked for. */
function importsFrom(project: URL, { name, exports = {}, imports = {} }: Config) {
  const own = Object.entries(exports).map(([key, path]) => [`${name}${key.slice(1)}`, path]);
  return Object.fromEntries(
    [...Object.entries(imports), ...own].map(([key, address]) => [
      key,
      /^\.{0,2}\//.test(address) ? new URL(address, project).href : address,
    ]),
  );
}

/** Drive of a folder as it stands in an address, "" where there is none, and the path from its root. */
function partsOf(folder: string): [drive: string, path: string] {
  const [, drive = "", path] = /^(\/[A-Za-z]:)?(\/.*)$/.exec(fileUrl(folder).pathname)!;
  return [drive, decodeURIComponent(path)];
}

/**
 * A temporary folder that stands for the whole disk: below it lies the path of a folder once more, empty, and above
 * that a `deno.json` with the imports of this project. A relative import from there is led back to the real disk.
 *
 * @param folder The folder
 */
export async function mirroredWorkspace(folder: string): Promise<MirroredWorkspace> {
  const [drive] = partsOf(folder);
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "vindkit-workspace-" }));
  const remove = () => Deno.remove(root, { recursive: true });
  try {
    const config: Config = JSON.parse(await Deno.readTextFile(new URL("deno.json", PROJECT)));
    const imports = {
      ...importsFrom(PROJECT, config),
      [fileUrl(root + "/").href]: `file://${drive}/`,
    };
    const mirrorOf = async (folder: string) => {
      const place = root + partsOf(folder)[1];
      await Deno.mkdir(place, { recursive: true });
      return place;
    };
    const { compilerOptions } = config;
    const text = JSON.stringify({ imports, nodeModulesDir: "none", compilerOptions });
    await Deno.writeTextFile(`${root}/deno.json`, text);
    // The same versions as in the project; unlike there a notebook may import further packages.
    await Deno.copyFile(new URL("deno.lock", PROJECT), `${root}/deno.lock`);
    const startFolder = await mirrorOf(folder);
    return { startFolder, folder, mirrorOf, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Finds where a kernel must start for the code of a folder: there, where the `deno.json` that rules there knows this
 * library; else in a mirror of the folder.
 *
 * @param folder The folder
 */
export async function kernelWorkspace(folder: string): Promise<KernelWorkspace> {
  const real = await Deno.realPath(folder);
  // A published library has no project on the disk whose imports could be taken.
  if (PROJECT.protocol !== "file:" || await knowsLibrary(fileUrl(real + "/"))) {
    return { startFolder: real, folder: real, [Symbol.asyncDispose]: async () => {} };
  }
  return await mirroredWorkspace(real);
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
