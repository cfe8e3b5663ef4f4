import { ConfigurationError } from "../../api/errors.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { addressOf, findPath, LIBRARY } from "./kernel_files.ts";

/** Name of the kernelspec, also of its folder and in `jupyter --kernel`. */
export const KERNEL_NAME = "vindkit";

/** Name in the menus of JupyterLab. */
const DISPLAY_NAME = "Vindkit (Deno)";

/** Icon in the launcher of JupyterLab. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="8" fill="#0072b2"/>
<path d="M32 32V60M32 32V6M32 32L54.5 45M32 32L9.5 45" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
</svg>
`;

/**
 * Folder in which Jupyter looks for a user's kernels.
 *
 * @param environment Environment variables; empty ones count as not set
 * @throws {ConfigurationError} If the user's home folder is not set
 */
export function jupyterDataFolder(environment: Pick<Deno.Env, "get"> = Deno.env): string {
  const variable = (name: string) => environment.get(name) || undefined;
  const dataFolder = variable("JUPYTER_DATA_DIR");
  if (dataFolder) return dataFolder;
  const home = variable("HOME");
  switch (Deno.build.os) {
    case "windows":
      if (variable("APPDATA")) return `${variable("APPDATA")}\\jupyter`;
      break;
    case "darwin":
      if (home) return `${home}/Library/Jupyter`;
      break;
    default:
      if (variable("XDG_DATA_HOME")) return `${variable("XDG_DATA_HOME")}/jupyter`;
      if (home) return `${home}/.local/share/jupyter`;
  }
  throw new ConfigurationError("Cannot find Jupyter's data folder: no home folder is set", {
    hint: "Set JUPYTER_DATA_DIR to the folder that `jupyter --data-dir` prints",
  });
}

/** The command that Jupyter runs. It contains no key or settings, because Jupyter passes the environment on. */
function buildKernelCommand(): string[] {
  const deno = Deno.execPath();
  const config = findPath("deno.json");
  return [
    deno,
    "run",
    "--quiet",
    "--no-prompt",
    ...(config === undefined ? ["--no-config"] : ["--config", config]),
    "--allow-read",
    "--allow-write",
    "--allow-net=127.0.0.1",
    `--allow-run=${deno}`,
    findPath(LIBRARY.exports!["./notebook"]) ?? addressOf("./notebook"),
    "{connection_file}",
  ];
}

function specFolderOf(dataFolder: string): string {
  return `${dataFolder}/kernels/${KERNEL_NAME}`;
}

/**
 * Installs the kernel "Vindkit (Deno)" for Jupyter: the current Deno, with this library's imports in any folder.
 *
 * @param dataFolder Jupyter's data folder
 * @returns Folder of the kernelspec
 * @throws {ConfigurationError} If no folder is given and the user's home folder is not set
 */
export async function installKernelspec(dataFolder: string = jupyterDataFolder()): Promise<string> {
  const spec = {
    argv: buildKernelCommand(),
    display_name: DISPLAY_NAME,
    language: "typescript",
    interrupt_mode: "message",
  };
  const folder = specFolderOf(dataFolder);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/kernel.json`, JSON.stringify(spec, null, 2) + "\n");
  await Deno.writeTextFile(`${folder}/logo-svg.svg`, LOGO);
  return folder;
}

/**
 * Removes the files installed by {@linkcode installKernelspec}.
 *
 * @param dataFolder Jupyter's data folder
 * @returns Folder of the kernelspec, or `undefined` if it was not installed
 */
export async function removeKernelspec(
  dataFolder: string = jupyterDataFolder(),
): Promise<string | undefined> {
  const folder = specFolderOf(dataFolder);
  return await ignoreMissing(Deno.remove(folder, { recursive: true }).then(() => folder));
}
