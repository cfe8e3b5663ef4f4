/** A class without a network: the packages are installed, but only loopback is reachable. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../_folder.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

async function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { NO_COLOR: "1", VINDKIT_URL: "", VINDKIT_KEY: "", ...env },
  }).output().catch(() => ({ success: false, stdout: new Uint8Array(), stderr: new Uint8Array() }));
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out, err };
}

/** Copies a cache without the registries' metadata of packages, as after `deno install --frozen`. */
async function copyCache(to: string): Promise<void> {
  const { out } = await run(Deno.execPath(), ["info", "--json"]);
  const { npmCache } = JSON.parse(out);
  await Deno.mkdir(to);
  const linked = await run("cp", ["-al", npmCache, to]);
  if (!linked.success) await run("cp", ["-a", npmCache, to]); // another disk
  await run("find", [to, "-name", "registry.json", "-delete"]);
}

const { success: isAllowed } = await run("unshare", ["-n", "true"]);
const where = isAllowed ? describe : describe.ignore;

where(
  `NB2 a machine without a network${
    isAllowed ? "" : " (left out: unshare -n is not allowed here)"
  }`,
  () => {
    it("starts kernels, runs notebooks and the script of a new folder, from any folder", async () => {
      await using folder = await Folder.make();
      const cache = { DENO_DIR: `${folder.path}/cache`, VINDKIT_HOME: `${folder.path}/home` };
      await copyCache(cache.DENO_DIR);
      const path = await folder.notebook("n", [
        'import { table } from "@vindkit/vindkit";\ntypeof table',
      ]);
      const offline = (folder: string, line: string) =>
        run("unshare", ["-n", "sh", "-c", `ip link set lo up; cd '${folder}' && ${line}`], cache);
      const task = `'${Deno.execPath()}' task`;
      const notebooks = await offline(ROOT, `${task} notebooks '${path}'`);
      assertStringIncludes(notebooks.out + notebooks.err, "1 cell");
      assertEquals(notebooks.success, true, notebooks.err);
      const created = await offline(ROOT, `${task} new '${folder.path}/mine'`);
      assertEquals(created.success, true, created.err);
      const first = await offline(`${folder.path}/mine`, `${task} first`);
      assertStringIncludes(first.out, "The expected energy of ");
    });
  },
);
