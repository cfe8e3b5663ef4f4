import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { homeFolder } from "../../../src/disk/home.ts";
import type { KernelClient } from "../../../src/notebook/kernel/kernel_client.ts";
import { Folder } from "../_folder.ts";
import { launched } from "../_launched.ts";

/** A reply about the end of some code, or about a marked position in it. */
type Ask = (type: "complete" | "inspect", code: string) => Promise<Record<string, unknown>>;

const CELLS = [
  'import { monthlyIndices, pl, plotIndexCalendar, turbineDetails } from "@vindkit/vindkit";',
  'const index = await monthlyIndices("T1", { from: "2024-01", to: "2024-03" });',
  "const inner = { frames: { index } };",
];

describe("V11: the kernel that Jupyter runs", () => {
  let folder: Folder;
  let client: KernelClient;
  let process: Deno.ChildProcess;

  const ask: Ask = async (type, marked) => {
    const before = marked.split("|")[0];
    const content = { code: marked.replace("|", ""), cursor_pos: [...before].length };
    const { reply } = await client.request(`${type}_request`, { ...content, detail_level: 0 });
    return await reply;
  };
  const complete = async (code: string) => (await ask("complete", code)).matches as string[];

  beforeAll(async () => {
    folder = await Folder.make();
    ({ client, process } = await launched(folder, { VINDKIT_HOME: homeFolder() }));
    for (const code of CELLS) {
      const { status, evalue } = await client.execute(code, () => {});
      assertEquals(status, "ok", String(evalue));
    }
    // The language server starts with the first request, and Jupyter waits longer for documentation than for completion.
    assertEquals((await ask("inspect", "monthlyIndices")).found, true);
  });
  afterAll(async () => {
    process.kill("SIGTERM");
    await process.status;
    await client[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it("completes the methods of a frame, and of their results", async () => {
    assert((await complete("index.")).includes("groupBy"));
    assertEquals(await complete("index.gro"), ["groupBy", "groupByDynamic", "groupByRolling"]);
    assertEquals(await complete("index.head(3).tai"), ["tail"]);
  });

  it("completes the fields of a record that a call returns, but not those of an error", async () => {
    const fields = await complete('(await turbineDetails("T1")).');
    assert(fields.includes("hub_height") && !fields.includes("stack"));
    assertEquals(await complete("const nothing = 1; unknown."), []);
  });

  it("starts the language server again after it has ended", async () => {
    const args = ["-P", `${process.pid}`, "-f", " lsp$"];
    const { stdout } = await new Deno.Command("pgrep", { args }).output();
    const [server] = new TextDecoder().decode(stdout).trim().split("\n").map(Number);
    Deno.kill(server, "SIGKILL");
    await ask("inspect", "monthlyIndices"); // this request may be the first without a server
    assertEquals((await ask("inspect", "monthlyIndices")).found, true);
  });

  it("completes options and their accepted texts", async () => {
    assertEquals(await complete('monthlyIndices("T1", { fr'), ["from"]);
    assertEquals(await complete('plotIndexCalendar(index, { figure: "month_ab'), [
      "month_abnormality_index",
    ]);
  });

  it("completes the columns of the frames in a cell", async () => {
    assertEquals(await complete('index.filter(pl.col("month_'), [
      "month_index",
      "month_abnormality_index",
    ]);
    assertEquals(await complete('inner.frames.index.select("compl'), ["completeness"]);
  });

  it("counts the cursor in code points, and completes in the middle of a cell", async () => {
    const { matches, cursor_start, cursor_end } = await ask("complete", '"🌬"; index.gr|;\nindex');
    assertEquals([matches, cursor_start, cursor_end], [
      ["groupBy", "groupByDynamic", "groupByRolling"],
      11,
      13,
    ]);
  });

  it("documents a name, and the call around the cursor", async () => {
    const text = async (code: string) =>
      (await ask("inspect", code)).data as Record<string, string>;
    const hover = await text("monthlyIndices|(1)");
    assertStringIncludes(hover["text/markdown"], "Months without data are rows with nulls");
    assertStringIncludes(hover["text/plain"], "monthlyIndices(turbineIds:");
    const call = await text('monthlyIndices("T1", |)');
    assertStringIncludes(call["text/markdown"], "`options?: MonthlyIndicesOptions`");
    assertEquals((await ask("inspect", "unknown")).found, false);
  });

  it("uses the last declaration of a name", async () => {
    await client.execute("const index = { calm: 1 };", () => {});
    assertEquals(await complete("index."), ["calm"]);
    await client.execute(CELLS[1], () => {});
    assertEquals(await complete("index.tai"), ["tail"]);
  });
});
