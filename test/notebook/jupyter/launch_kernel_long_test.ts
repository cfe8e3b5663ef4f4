import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { installKernelspec } from "../../../src/notebook/kernel/kernelspec.ts";
import {
  findFreeConnection,
  LOOPBACK,
  writeConnection,
} from "../../../src/notebook/wire/kernel_connection.ts";
import { Folder } from "../_folder.ts";

describe("launchKernel()", () => {
  it("leaves no file with the key if the kernel cannot start", async () => {
    await using folder = await Folder.make();
    const spec = await installKernelspec(`${folder.path}/jupyter`);
    const { argv } = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
    const connection = findFreeConnection();
    using _taken = Deno.listen({ hostname: LOOPBACK, port: connection.ports.iopub });
    const file = await folder.write("connection.json", writeConnection(connection));
    const temporary = `${folder.path}/tmp`;
    await Deno.mkdir(temporary);
    const [command, ...args] = argv.map((part: string) => part.replace("{connection_file}", file));
    await new Deno.Command(command, {
      args,
      cwd: folder.path,
      env: { NO_COLOR: "1", TMPDIR: temporary },
    }).output();
    const remaining = [...Deno.readDirSync(temporary)].map(({ name }) => name);
    assertEquals(remaining.filter((name) => name.startsWith("vindkit-kernel-")), []);
  });
});
