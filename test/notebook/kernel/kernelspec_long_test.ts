import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import type { KernelClient } from "../../../src/notebook/kernel/kernel_client.ts";
import type { KernelConnection } from "../../../src/notebook/wire/kernel_connection.ts";
import { MessageSigner } from "../../../src/notebook/wire/kernel_message.ts";
import {
  installKernelspec,
  jupyterDataFolder,
  removeKernelspec,
} from "../../../src/notebook/kernel/kernelspec.ts";
import { ZmtpSocket } from "../../../src/notebook/wire/zmtp_socket.ts";
import { Folder } from "../_folder.ts";
import { launched } from "../_launched.ts";

async function result(client: KernelClient, code: string): Promise<unknown> {
  let text: unknown;
  await client.execute(code, ({ type, content }) => {
    if (type === "execute_result") text = (content.data as Record<string, string>)["text/plain"];
  });
  return text;
}

/** Asserts that nothing listens at the ports of a kernel. */
async function assertGone({ ports }: KernelConnection): Promise<void> {
  for (const port of Object.values(ports)) {
    await assertRejects(
      () => Deno.connect({ hostname: "127.0.0.1", port }),
      Deno.errors.ConnectionRefused,
    );
  }
}

/** Sends a request to the control port, as Jupyter does. */
async function control(
  { ports, key }: KernelConnection,
  type: string,
  content: Record<string, unknown> = {},
): Promise<void> {
  const socket = await ZmtpSocket.connect("DEALER", "127.0.0.1", ports.control);
  await socket.send((await (await MessageSigner.of(key)).request(type, content)).parts);
  await socket.receive();
  socket.close();
}

describe("the kernelspec", () => {
  it("names the running Deno and the checkout, and has neither key nor settings", async () => {
    await using folder = await Folder.make();
    const spec = await installKernelspec(folder.path);
    assertEquals(spec, `${folder.path}/kernels/vindkit`);
    const content = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
    assertEquals(content.argv[0], Deno.execPath());
    assertEquals(content.argv.at(-1), "{connection_file}");
    assertEquals([content.interrupt_mode, content.env], ["message", undefined]);
    assert(!content.argv.some((part: string) => /^(-A|--allow-all)$/.test(part)));
    assertEquals(await removeKernelspec(folder.path), spec);
    assertEquals(await removeKernelspec(folder.path), undefined);
  });

  it("is JUPYTER_DATA_DIR, else the user's data folder", () => {
    const folder = (...variables: [string, string][]) => jupyterDataFolder(new Map(variables));
    assertThrows(() => folder(), ConfigurationError, "no home folder is set");
    const home: [string, string] = ["HOME", "/home/ada"];
    if (Deno.build.os === "linux") {
      assertEquals(folder(home), "/home/ada/.local/share/jupyter");
      assertEquals(folder(home, ["XDG_DATA_HOME", "/data"]), "/data/jupyter");
    }
    assertEquals(folder(home, ["JUPYTER_DATA_DIR", "/own"]), "/own");
  });

  it("starts a kernel that can import the library in a remote folder, and ends with it", async () => {
    await using folder = await Folder.make();
    await folder.write("near.ts", "export const near = 7;");
    const { process, connection, client } = await launched(folder);
    const output = await result(
      client,
      `import { near } from "./near.ts";
       import { table } from "@vindkit/vindkit";
       [near, typeof table, Deno.readTextFileSync("near.ts").length]`,
    );
    assertEquals(output, '[ 7, "function", 22 ]');
    await control(connection, "shutdown_request", { restart: false });
    await process.status;
    await client[Symbol.asyncDispose]();
    await assertGone(connection);
  });

  it("is interrupted by a message while it computes", async () => {
    await using folder = await Folder.make();
    const { process, connection, client } = await launched(folder);
    // An interrupt before the computation starts would be too early.
    const started = Promise.withResolvers<void>();
    const computing = client.execute('console.log("begun"); while (true);', ({ type }) => {
      if (type === "stream") started.resolve();
    });
    await started.promise;
    await control(connection, "interrupt_request");
    assertEquals((await computing).status, "error");
    assertEquals(await result(client, "1 + 1"), "2");
    process.kill("SIGTERM");
    await process.status;
    await client[Symbol.asyncDispose]();
    await assertGone(connection);
  });
});
