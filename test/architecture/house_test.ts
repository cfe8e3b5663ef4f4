/** The imports of every file, compared with the plan of the house. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { breachesOf, cyclesOf, type Sources } from "./_breaches.ts";
import { rooms, shelves } from "./_house.ts";

const root = new URL("../../", import.meta.url);

async function collect(folder: string, into: Record<string, string>): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) await collect(`${folder}${name}/`, into);
    else if (name.endsWith(".ts")) {
      into[folder + name] = await Deno.readTextFile(new URL(folder + name, root));
    }
  }
}

async function readProject(): Promise<Sources> {
  const sources: Record<string, string> = {};
  for (const folder of ["src/", "test/", "scripts/", "site/"]) await collect(folder, sources);
  sources["deno.json"] = await Deno.readTextFile(new URL("deno.json", root));
  const { exports } = JSON.parse(sources["deno.json"]);
  try {
    sources["mod.ts"] = await Deno.readTextFile(new URL(exports["."], root));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return sources;
}

describe("the house", () => {
  it("keeps its arrows, its pins and its file sizes", async () => {
    const breaches = breachesOf(await readProject(), { rooms, shelves });
    assertEquals(breaches, [], `${breaches.length} breaches:\n${breaches.join("\n")}`);
  });

  it("has rooms whose arrows never form a circle", () => {
    const graph = new Map(
      Object.entries(rooms).map(([room, others]) => [room, others.map((to) => ({ to, line: 1 }))]),
    );
    assertEquals(cyclesOf(graph), []);
    const files = ["mod.ts", "deno.json"];
    for (const other of Object.values(rooms).flat()) {
      assert(other in rooms || files.includes(other));
    }
  });

  it("names every npm package of deno.json in NOTICE with its version", async () => {
    const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
    const notice = await Deno.readTextFile(new URL("NOTICE", root));
    for (const address of Object.values<string>(imports)) {
      const pin = /^npm:\/?(.+)@([\d.]+)/.exec(address);
      if (pin) assert(notice.includes(`${pin[1]} ${pin[2]}`), `NOTICE lacks ${pin[1]} ${pin[2]}`);
    }
  });
});
