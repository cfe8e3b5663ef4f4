import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../notebook/_folder.ts";

const KEY = "CANARY-key-of-the-kernel";

/** Runs the task as a user does, from their own folder. */
async function kernel(folder: Folder, ...given: string[]): Promise<{ code: number; out: string }> {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", config, "kernel", ...given],
    cwd: folder.path,
    env: {
      INIT_CWD: folder.path, // otherwise inherited from `deno task test`
      NO_COLOR: "1",
      VINDKIT_KEY: KEY,
      JUPYTER_DATA_DIR: `${folder.path}/jupyter`,
    },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out + err };
}

/** All texts in a kernelspec. */
function textsBelow(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name }) => Deno.readTextFileSync(`${folder}/${name}`))
    .join();
}

describe("deno task kernel", () => {
  it("installs the kernel, prints the next steps, and removes it again", async () => {
    await using folder = await Folder.make();
    const spec = `${folder.path}/jupyter/kernels/vindkit`;
    const installed = await kernel(folder);
    assertEquals(installed.code, 0);
    for (const words of [`Installed in ${spec}\n`, "JupyterLab: ", "VS Code: ", "Vindkit (Deno)"]) {
      assertStringIncludes(installed.out, words);
    }
    assertStringIncludes(textsBelow(spec), "src/notebook/entry.ts");
    assertEquals(await kernel(folder, "--remove"), { code: 0, out: `Removed ${spec}\n` });
    assertEquals(await kernel(folder, "--remove"), {
      code: 0,
      out: `The kernel is not installed in ${folder.path}/jupyter\n`,
    });
  });

  it("F20 writes no key into the kernelspec, and prints none", async () => {
    await using folder = await Folder.make();
    const { code, out } = await kernel(folder, "--to", "elsewhere");
    assertEquals(code, 0);
    assert(!(out + textsBelow(`${folder.path}/elsewhere/kernels/vindkit`)).includes(KEY));
  });
});
