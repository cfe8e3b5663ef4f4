/** A network that stalls: the user is told why the kernel waits. */
import { assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../_folder.ts";

describe("NB2 a kernel that waits for a registry", () => {
  it("reports it on stderr after 20 s", async () => {
    await using folder = await Folder.make();
    await folder.write("deno.json", '{ "imports": { "absent": "npm:left-pad@1.3.0" } }');
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 }); // accepts connections, and never answers
    const script = new URL("_stalled_kernel.ts", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", script, `http://127.0.0.1:${listener.addr.port}`, folder.path],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let stderr = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      if (stderr.includes("\n")) break;
    }
    child.kill("SIGKILL");
    await child.status;
    assertMatch(
      stderr,
      /^A notebook's kernel has waited 20 s for http:\/\/127\.0\.0\.1:\d+\/left-pad\. /,
    );
  });
});
