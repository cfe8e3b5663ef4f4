import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as vindkit from "../../mod.ts";

describe("docs/toolbox.md", () => {
  it("lists every chart with its question", async () => {
    const page = await Deno.readTextFile(new URL("../../docs/toolbox.md", import.meta.url));
    const listed = [...page.matchAll(/^\|.+\? +\| `(plot\w+)\(/gm)].map(([, name]) => name);
    const charts = Object.keys(vindkit).filter((name) => name.startsWith("plot"));
    assertEquals(listed.toSorted(), charts.toSorted());
  });
});
