import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage } from "../../../src/storage/storage.ts";
import { openService } from "../../../src/service/running/service.ts";
import { makeSmallData } from "../../service/_small_data.ts";
import { callCommand } from "../_command.ts";
import { runTask } from "../_task.ts";

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

describe("deno task backup", () => {
  let folder: string;
  let data: string;
  let file: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    data = `${folder}/data`;
    await makeSmallData(data);
    const { store, files } = await openStorage(data);
    const name = await files.put(new Uint8Array(3_000_000), "csv");
    file = files.path(name);
    const order = { id: "o", serialNumber: "local", serviceId: "era5", parameters: {} };
    const done = { state: "complete", token: "t", file: name, expires: Date.now() + 1e9 } as const;
    await store.orders.place({ ...order, ...done }, Date.now());
    await store.close();
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const backup = (...given: string[]) => callCommand("backup", ...given);

  it("reports the written files, and the backup can be served", async () => {
    const to = `${folder}/monday`;
    const { code, out, error } = await runTask("backup", "--data", data, "--to", to);
    assertEquals([code, error], [0, ""]);
    assertMatch(out, /^Backed up \S+ to \S+\/monday: the database and 1 file, 3\.\d MB\n$/);
    await (await openService(to)).close();
  });

  it("prints errors in one line without a stack, and its help", async () => {
    const without = await backup("--data", data);
    assertEquals([without.code, without.out], [2, ""]);
    assert(
      without.error.startsWith(
        "Cannot make a backup: the destination is missing. Give --to FOLDER\n",
      ),
      without.error,
    );
    const second = await backup("--data", data, "--to", folder);
    assertEquals([second.code, second.error.split("\n").length], [1, 1]);
    assertStringIncludes((await backup("--help")).out, "deno task backup --to FOLDER [--data DIR]");
  });

  it("killed in the middle leaves only files that the next one removes, and of two at once one succeeds", async () => {
    const to = `${folder}/monday`;
    // A pipe in place of the file makes the copy wait until the test continues.
    await Deno.rename(file, `${file}.away`);
    assert((await new Deno.Command("mkfifo", { args: [file] }).output()).success);
    const flags = ["--allow-ffi", "--allow-sys", "--allow-read", "--allow-write", "--allow-env"];
    const running = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", ...flags, "src/cli/mod.ts", "backup"],
        ...["--data", data, "--to", to],
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    const pipe = await Deno.open(file, { write: true }); // returns when the copy opens it for reading
    assertStringIncludes(
      (await backup("--data", data, "--to", to)).error,
      "another backup is writing there now",
    );
    running.kill("SIGKILL");
    await running.status;
    pipe.close();
    assertEquals(namesIn(folder), ["data", "monday.partial"]);
    await Deno.rename(`${file}.away`, file);
    assertEquals((await backup("--data", data, "--to", to)).code, 0);
    assertEquals(namesIn(folder), ["data", "monday"]);
    assertEquals(namesIn(to), ["files", "vindkit.sqlite"]);
  });
});
