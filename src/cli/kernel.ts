import {
  installKernelspec,
  jupyterDataFolder,
  KERNEL_NAME,
  removeKernelspec,
} from "../notebook/mod.ts";
import { callerPath } from "./command/arguments.ts";
import type { Command } from "./command/command.ts";
import { PROGRAM } from "./command/project.ts";

const NEXT = `
JupyterLab: jupyter lab, then choose "Vindkit (Deno)" in the launcher
            (if it is missing: pip install jupyterlab)
VS Code:    open a notebook, "Select Kernel", "Jupyter Kernel...", "Vindkit (Deno)"
            (with the extension "Jupyter")
Terminal:   jupyter execute --kernel_name=${KERNEL_NAME} FILE, or without Jupyter: ${PROGRAM} notebooks FILE`;

/** Installs the kernel "Vindkit (Deno)" for Jupyter, or removes it. */
export const kernel: Command = {
  forms: ["[--to DIR]", "--remove [--to DIR]"],
  options: {
    to: {
      value: "DIR",
      about: "Jupyter's data folder (default: JUPYTER_DATA_DIR, else that of the user)",
    },
    remove: { about: "removes the kernel" },
  },
  example: "",
  notes: [
    "Notebooks in any folder of this user can then import @vindkit/vindkit. The kernel runs with this Deno, and with " +
    "this library where it is now: after moving or updating either, install it again. Keys are not part of it: " +
    "VINDKIT_URL and VINDKIT_KEY are taken from the environment of Jupyter.",
  ],
  rest: 0,
  async run({ text, flag }) {
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
};
