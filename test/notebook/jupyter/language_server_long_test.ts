import { assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LanguageServer } from "../../../src/notebook/jupyter/language_server.ts";
import { toFileUrl } from "../../../src/notebook/kernel/kernel_files.ts";
import { Folder } from "../_folder.ts";

describe("LanguageServer", () => {
  it("answers simultaneous requests, each about its own text", async () => {
    await using folder = await Folder.make();
    await using server = new LanguageServer({
      folder: toFileUrl(`${folder.path}/`).href,
      config: "",
    });
    const position = { line: 0, character: 6 };
    const names = Array.from({ length: 8 }, (_, i) => `only${i}`);
    const answers = await Promise.all(
      names.map((name) => server.ask("textDocument/hover", `const ${name} = 1;`, position)),
    );
    for (const [i, name] of names.entries()) assertStringIncludes(JSON.stringify(answers[i]), name);
  });
});
