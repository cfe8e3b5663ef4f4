/** Outputs that Jupyter receives from cells that fail, have results that Deno loses, or print a lot. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../_folder.ts";
import { launched } from "../_launched.ts";

describe("outputs of the kernel that Jupyter starts", () => {
  it("NB1 NB6 NB7 have one error for each cell that fails, results of any value, and all lines in few messages", async () => {
    await using folder = await Folder.make();
    const { process, client } = await launched(folder);
    const run = async (code: string) => {
      const outputs: [type: string, text: string][] = [];
      const { status } = await client.execute(code, ({ type, content }) => {
        const data = content.data as Record<string, string> | undefined;
        const text = content.evalue ?? content.text ?? data?.["text/plain"] ?? "";
        if (type !== "status" && type !== "execute_input") outputs.push([type, String(text)]);
      });
      return { status, outputs };
    };
    try {
      assertEquals(await run("const x = 5;\nlet y = x +;"), {
        status: "error",
        outputs: [["error", "line 2: SyntaxError: Expression expected (column 12)"]],
      });
      assertEquals(await run("const a = 'abc"), {
        status: "error",
        outputs: [["error", "line 1: SyntaxError: Unterminated string constant (column 11)"]],
      });
      for (const [code, message] of [["throw new Error('mine')", "mine"], ["throw null", "null"]]) {
        assertEquals(await run(code), { status: "error", outputs: [["error", message]] });
      }
      for (const text of ["NaN", "-Infinity", "null", "-0", "10n", "42"]) {
        assertEquals(await run(text), { status: "ok", outputs: [["execute_result", text]] });
      }
      assertEquals(await run("undefined"), { status: "ok", outputs: [] });
      const { outputs } = await run("for (let i = 0; i < 20_000; i++) console.log(i);");
      assertEquals(
        outputs.map(([, text]) => text).join(""),
        Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(""),
      );
      assert(outputs.length < 2000, `${outputs.length} messages`);
    } finally {
      process.kill("SIGTERM");
      await process.status;
      await client[Symbol.asyncDispose]();
    }
  });
});
