import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError, TimeoutError, VindkitError } from "../../../src/api/errors.ts";
import { Kernel, PORT_TAKEN } from "../../../src/notebook/kernel/kernel.ts";
import { KernelClient } from "../../../src/notebook/kernel/kernel_client.ts";
import { findFreeConnection, LOOPBACK } from "../../../src/notebook/wire/kernel_connection.ts";
import { startKernelProcess } from "../../../src/notebook/kernel/kernel_process.ts";
import { Folder } from "../_folder.ts";
import { greet, greeting, Peer, ready, write } from "../wire/_zmtp_peer.ts";

/** Results of code, as text. */
async function results(kernel: Kernel, code: string): Promise<unknown[]> {
  const texts: unknown[] = [];
  await kernel.run(code, {
    onMessage: ({ type, content }) => {
      if (type === "execute_result") {
        texts.push((content.data as Record<string, string>)["text/plain"]);
      }
    },
  });
  return texts;
}

/** Whether a process is still running: a process that nobody awaits remains a zombie in some containers. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  return /^[^Z]/.test(new TextDecoder().decode(stdout).trim());
}

describe("Kernel", () => {
  it("runs code, keeps its state, and returns results that arrive after an await", async () => {
    await using kernel = await Kernel.start({ folder: "." });
    assertEquals(await results(kernel, "const a = 20; a"), ["20"]);
    assertEquals(await results(kernel, "await new Promise((r) => setTimeout(r, 1)); a + 1"), [
      "21",
    ]);
    const reply = await kernel.run("throw new RangeError('too far')");
    assertEquals(reply, { status: "error", name: "RangeError", message: "too far" });
  });

  it("can import the library in any folder, with relative imports and paths from that folder", async () => {
    await using folder = await Folder.make();
    await folder.write("near.ts", "export const near: number = 7;");
    await Deno.mkdir(`${folder.path}/a b%20#ü`);
    await using kernel = await Kernel.start({ folder: `${folder.path}/a b%20#ü` });
    assertEquals(
      await results(
        kernel,
        `import { near } from "../near.ts";
         import { table } from "@vindkit/vindkit";
         [near, typeof table, Deno.readTextFileSync("../near.ts").length]`,
      ),
      ['[ 7, "function", 30 ]'],
    );
  });

  it("uses the deno.json of the folder if it maps the library", async () => {
    await using folder = await Folder.make();
    await folder.write("own.ts", "export const own = 'mine';");
    await folder.write(
      "deno.json",
      JSON.stringify({ imports: { "@vindkit/vindkit": "./own.ts" } }),
    );
    await using kernel = await Kernel.start({ folder: folder.path });
    assertEquals(await results(kernel, 'import { own } from "@vindkit/vindkit"; own'), ['"mine"']);
  });

  it("adds the imports of the folder's deno.json, without effect on the library", async () => {
    await using folder = await Folder.make();
    await folder.write("own.ts", "export const own = 'mine';");
    await folder.write(
      "deno.jsonc",
      '{ // ours\n"imports": { "own": "./own.ts", "zod": "./own.ts", } }',
    );
    await Deno.mkdir(`${folder.path}/below`);
    await using kernel = await Kernel.start({ folder: `${folder.path}/below` });
    const code = `import { own } from "own";
      import { runNotebook } from "@vindkit/vindkit/notebook";
      [own, (await import("zod")).own, typeof runNotebook]`;
    assertEquals(await results(kernel, code), ['[ "mine", "mine", "function" ]']);
  });

  it("reports a deno.json that cannot be read", async () => {
    await using folder = await Folder.make();
    const path = await folder.write("deno.json", "{");
    const starting = () => Kernel.start({ folder: folder.path });
    await assertRejects(starting, DataFormatError, `Cannot read ${path}`);
  });

  it("leaves no process, no file and no folder when the process that started it is killed", async () => {
    await using folder = await Folder.make();
    const kernelUrl = new URL("../../../src/notebook/kernel/kernel.ts", import.meta.url).href;
    const script = await folder.write(
      "start.ts",
      `import { Kernel } from ${JSON.stringify(kernelUrl)};
      const kernel = await Kernel.start({ folder: ${JSON.stringify(folder.path)} });
      await kernel.run("console.log(Deno.pid)", {
        onMessage: ({ type, content }) => type === "stream" && console.log(content.text.trim()),
      });
      setInterval(() => {}, 1000);`,
    );
    const temporary = `${folder.path}/tmp`;
    await Deno.mkdir(temporary);
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--config",
        new URL("../../../deno.json", import.meta.url).pathname,
        script,
      ],
      env: { TMPDIR: temporary, NO_COLOR: "1" },
      stdout: "piped",
    }).spawn();
    const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const pid = Number((await lines.read()).value);
    assert(pid > 0);
    process.kill("SIGKILL");
    await process.status;
    await lines.cancel();
    while (await isAlive(pid)) { /* it ends by itself */ }
    assertEquals([...Deno.readDirSync(temporary)].map(({ name }) => name), []);
  });

  it("makes running code fail when the kernel exits, and reports the exit", async () => {
    await using kernel = await Kernel.start({ folder: "." });
    await assertRejects(
      () => kernel.run("Deno.exit(3)"),
      VindkitError,
      "its process ended with code 3",
    );
    await assertRejects(() => kernel.run("1"), VindkitError, "its process ended with code 3");
  });

  it("ends at a timeout, also in a loop that no interrupt reaches", async () => {
    await using kernel = await Kernel.start({ folder: "." });
    await assertRejects(
      () => kernel.run("while (true);", { timeout: 200 }),
      TimeoutError,
      "the cell took longer than 0.2 s",
    );
  });

  it("does not start after its signal is aborted", async () => {
    const giving = new AbortController();
    const starting = Kernel.start({ folder: ".", signal: giving.signal });
    giving.abort(new Error("enough"));
    await assertRejects(() => starting, Error, "enough");
  });

  it("reports a port in use with the words that trigger a new start", async () => {
    const connection = findFreeConnection();
    using _taken = Deno.listen({ hostname: LOOPBACK, port: connection.ports.shell });
    const { ended } = await startKernelProcess(Deno.cwd(), connection);
    assertStringIncludes(await ended, PORT_TAKEN);
  });

  it("reports a missing folder", async () => {
    await assertRejects(() => Kernel.start({ folder: "/nowhere/at/all" }), Deno.errors.NotFound);
  });
});

describe("KernelClient", () => {
  it("makes running code fail when a message is not signed with its key", async () => {
    const serve = async (connection: Deno.TcpConn) => {
      await greet(connection);
      await write(connection, Uint8Array.of(1, 1, 65, 0, 1, 66)); // two parts, no signature
      await connection.read(new Uint8Array(4096));
    };
    await using shell = new Peer(serve);
    await using iopub = new Peer(async (connection) => {
      // A SUB states its type in fewer letters, and then subscribes; the peer checks neither.
      await write(connection, greeting());
      await write(connection, ready());
      while (await connection.read(new Uint8Array(4096)) !== null);
    });
    const { key, ports } = findFreeConnection();
    const connection = { key, ports: { ...ports, shell: shell.port, iopub: iopub.port } };
    await using client = await KernelClient.connect(connection, new AbortController().signal);
    const error = await client.execute("1", () => {}).catch((error) => error);
    assert(/its signature is wrong/.test(error.message), error.message);
  });
});
