import { KernelClient } from "../../src/notebook/kernel/kernel_client.ts";
import { installKernelspec } from "../../src/notebook/kernel/kernelspec.ts";
import {
  findFreeConnection,
  type KernelConnection,
  writeConnection,
} from "../../src/notebook/wire/kernel_connection.ts";
import type { Folder } from "./_folder.ts";

/** Starts the kernelspec's command in a folder, as Jupyter does. */
export async function launched(folder: Folder, env: Record<string, string> = {}): Promise<{
  process: Deno.ChildProcess;
  connection: KernelConnection;
  client: KernelClient;
}> {
  const spec = await installKernelspec(`${folder.path}/jupyter`);
  const { argv } = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
  const connection = findFreeConnection();
  const file = await folder.write("connection.json", writeConnection(connection));
  const [command, ...args] = argv.map((part: string) => part.replace("{connection_file}", file));
  const process = new Deno.Command(command, {
    args,
    cwd: folder.path,
    stdout: "null",
    stderr: "null",
    env: { NO_COLOR: "1", ...env },
  }).spawn();
  const client = await KernelClient.connect(connection, new AbortController().signal);
  await client.prepare("");
  return { process, connection, client };
}
