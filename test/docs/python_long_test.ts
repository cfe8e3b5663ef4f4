/**
 * The examples of docs/python.md: one program in Python against a service of the sample, which prints what the page
 * says.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { monthlyIndices, saveFrame } from "../../mod.ts";
import { writeExampleFiles } from "../../src/sample/example_files.ts";
import { type ServeTask, startServeTask } from "../cli/_serve_task.ts";
import { runSuccessfully } from "../cli/_task.ts";
import { runPeer, whyWithout } from "../peers/_venv.ts";

const why = whyWithout("requests", "pandas", "polars");
const group = why ? describe.ignore : describe;

group(why ? `docs/python.md (${why})` : "docs/python.md", () => {
  let folder: string;
  let service: ServeTask;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    service = await startServeTask(["--sample"]);
    await writeExampleFiles(folder); // production.csv
    const page = await Deno.readTextFile(new URL("../../docs/python.md", import.meta.url));
    const [, words, file] = page.match(/^deno task (check .+ --json) (\S+)$/m)!;
    await runSuccessfully(...words.split(" "), `${folder}/${file}`);
    await saveFrame(await monthlyIndices("T1"), `${folder}/indices.csv`);
  });
  afterAll(async () => {
    await service.stop();
    await Deno.remove(folder, { recursive: true });
  });

  it("K11 M11: has examples that run one after the other and print what their comments say", async () => {
    const page = await Deno.readTextFile(new URL("../../docs/python.md", import.meta.url));
    const blocks = [...page.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, block]) => block);
    assert(blocks.length > 10);
    const program = blocks.join("\n");
    const { code, out, err } = await runPeer("python", {
      args: ["-c", program],
      cwd: folder,
      env: { VINDKIT_URL: service.url, VINDKIT_KEY: service.key },
    });
    assertEquals(code, 0, err.slice(-3000));
    const printed = [...program.matchAll(/^ *print\(.*\) {2}# (.*)$/gm)].map(([, line]) => line);
    assertEquals(out.trimEnd().split("\n"), printed);
    assertEquals(program.match(/print\(/g)!.length, printed.length, "a print without its comment");
    assertEquals(err, "");
  });
});
