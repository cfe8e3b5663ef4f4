/** Installs the kernel "Vindkit (Deno)" for Jupyter: `deno task kernel`. */
import {
  installKernelspec,
  jupyterDataFolder,
  KERNEL_NAME,
  removeKernelspec,
} from "@vindkit/vindkit/notebook";
import { callerPath, command } from "./_command.ts";

const HELP =
  `Installs the kernel "Vindkit (Deno)" for this user: notebooks in any folder can import @vindkit/vindkit.

deno task kernel [--to DIR]
deno task kernel --remove [--to DIR]

  --to DIR  Jupyter's data folder (default: JUPYTER_DATA_DIR, else that of the user)
  --remove  takes the kernel away again

The kernel runs with the Deno that runs this task, and with this checkout where it lies now: after moving either,
install it again. Keys are not part of it: VINDKIT_URL and VINDKIT_KEY are taken from the environment of Jupyter.`;

const NEXT = `
JupyterLab: jupyter lab, then choose "Vindkit (Deno)" in the launcher
            (not there yet: pip install jupyterlab)
VS Code:    open a notebook, "Select Kernel", "Jupyter Kernel...", "Vindkit (Deno)"
            (with the extension "Jupyter")
Terminal:   jupyter execute --kernel_name=${KERNEL_NAME} FILE, or without Jupyter: deno task notebooks FILE`;

await command(
  HELP,
  { to: { type: "string" }, remove: { type: "boolean" } },
  0,
  async ({ text, flag }) => {
    const to = text("to");
    const dataFolder = to === undefined ? jupyterDataFolder() : callerPath(to);
    if (!flag("remove")) {
      console.log(`Installed in ${await installKernelspec(dataFolder)}\n${NEXT}`);
      return;
    }
    const folder = await removeKernelspec(dataFolder);
    console.log(
      folder ? `Removed ${folder}` : `Nothing to remove: ${dataFolder} has no such kernel`,
    );
  },
);
