/**
 * A process that runs a cell in a folder whose package comes from a registry that never answers.
 *
 * @module
 */
import { Kernel } from "../../../src/notebook/kernel/kernel.ts";

const [registry, folder] = Deno.args;
Deno.env.set("NPM_CONFIG_REGISTRY", registry); // affects only the kernel, because this process has its packages
await using kernel = await Kernel.start({ folder });
await kernel.run('import "absent";');
