/**
 * SV5: messages of commands when the disk refuses access, and the commands and paths that they suggest.
 *
 * @module
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { openStorage } from "../../src/storage/storage.ts";
import { makeSmallData } from "../service/_small_data.ts";
import { callCommand } from "./_command.ts";

const run = (command: string, ...args: string[]) =>
  new Deno.Command(command, { args, stderr: "null" }).outputSync();

/** Mounts a disk of 1 MB, if this machine allows it. */
function mountSmallDisk(): string | undefined {
  const folder = Deno.makeTempDirSync();
  const mounted = Deno.build.os === "linux" &&
    run("mount", "-t", "tmpfs", "-o", "size=1m", "vindkit-test", folder).success;
  if (mounted) return folder;
  Deno.removeSync(folder);
}

const disk = mountSmallDisk();

describe("SV5: a command that fails at the disk", () => {
  let folder: string;
  let data: string;
  let loop: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    [data, loop] = [`${folder}/da ta`, `${folder}/loop`];
    await makeSmallData(data);
    await Deno.symlink("loop", loop);
  });
  afterAll(async () => {
    await Deno.remove(folder, { recursive: true });
    if (disk === undefined) return;
    run("umount", disk);
    await Deno.remove(disk);
  });

  /** Runs a command that must fail, and returns its message. */
  async function refuse(...words: string[]): Promise<string> {
    const { code, error } = await callCommand(...words);
    assertEquals([code, error.split("\n").length], [1, 1], error);
    assertMatch(error, /^Cannot /);
    return error;
  }

  it("names a symbolic link that leads back to itself, and a remedy", async () => {
    for (
      const words of [
        ["backup", "--data", data, "--to", `${loop}/b`],
        ["verify", "--data", loop],
        ["export", "--what", "indices", "--data", data, "--to", loop],
        ["new", `${loop}/scripts`],
      ]
    ) {
      const message = await refuse(...words);
      assertStringIncludes(message, "Too many levels of symbolic links");
      assertStringIncludes(message, loop, words[0]);
      assertMatch(message, /Remove the symbolic link that leads back to itself, or name another/);
    }
  });

  it("does so for a stored file too, and works after the link is removed", async () => {
    const { store, files } = await openStorage(data);
    const name = await files.put(new Uint8Array(2_000_000), "csv");
    const order = { id: "o", serialNumber: "local", serviceId: "era5", parameters: {} };
    const done = { state: "complete", token: "t", file: name, expires: Date.now() + 1e9 } as const;
    await store.orders.place({ ...order, ...done }, Date.now());
    await store.close();
    const path = files.path(name);
    await Deno.rename(path, `${path}.away`);
    await Deno.symlink(path, path);
    assertMatch(await refuse("verify", "--data", data), /^Cannot run verify: ELOOP.*csv'\. Remove/);
    await Deno.remove(path);
    await Deno.rename(`${path}.away`, path);
    assertEquals((await callCommand("verify", "--data", data)).code, 0);
  });

  const withDisk = disk === undefined ? it.ignore : it;
  withDisk("says in which folder there is no room (needs a mount)", async () => {
    const message = await refuse("backup", "--data", data, "--to", `${disk}/b`);
    assertMatch(message, /No space left on device|disk is full/);
    assertStringIncludes(message, `${disk}/b`);
    assertStringIncludes(message, "Free space on the disk, or name a folder on another disk");
    assertEquals([...Deno.readDirSync(disk!)], []);
    const { code } = await callCommand("backup", "--data", data, "--to", `${folder}/b`);
    assertEquals(code, 0);
  });

  it("prints a command that a shell parses correctly", async () => {
    const missing = `${folder}/it's "no" $such`;
    const message = await refuse("verify", "--data", missing);
    const [, words] = /Import a site with: vindkit (.*) \(in a checkout/.exec(message)!;
    const { stdout } = run("sh", "-c", `printf '%s\\n' ${words}`);
    assertEquals(new TextDecoder().decode(stdout), `import\nSITE.json\n--data\n${missing}\n`);
  });
});
