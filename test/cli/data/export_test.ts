import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage } from "../../../src/storage/storage.ts";
import { putFleetSite } from "../../machines/export/_fleet.ts";
import { callCommand, callSuccessfully } from "../_command.ts";
import { runSuccessfully, runTask } from "../_task.ts";

describe("deno task export", () => {
  let folder: string;
  let data: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    data = `${folder}/data`;
    const directory = await openStorage(data, { create: true });
    await putFleetSite(directory, {
      site: "coast",
      ids: ["T1", "T2"],
      from: "2022-01-01T00",
      to: "2024-01-01T00",
    });
    await directory.store.close();
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  it("reports the written files, and writes nothing the second time", async () => {
    const to = `${folder}/lake`;
    const call = ["export", "--data", data, "--to", to, "--what"];
    const hours = await runSuccessfully(...call, "hours");
    assertMatch(
      hours,
      /^Exported the hours of 2 turbines to \S+\/lake: 35,040 rows in 2 files, 0\.\d MB; 2 written, 0 old ones removed\n$/,
    );
    assertStringIncludes(await callSuccessfully(...call, "hours"), "; 0 written, 0 old ones");
    assertStringIncludes(
      await callSuccessfully(...call, "indices"),
      "the indices of 2 turbines",
    );
    assertEquals([...Deno.readDirSync(to)].map(({ name }) => name).sort(), [
      "hours",
      "hours.manifest.json",
      "indices",
      "indices.manifest.json",
    ]);
  });

  it("names missing or wrong options, and writes nothing", async () => {
    const to = `${folder}/lake`;
    for (
      const [words, code, message] of [
        [
          ["--to", to],
          2,
          "Cannot export a table: its name is missing. Give --what indices|hours\n",
        ],
        [["--to", to, "--what", "hour"], 2, 'Unknown table "hour": did you mean hours?\n'],
        [
          ["--what", "hours"],
          2,
          "Cannot export the table: the destination is missing. Give --to FOLDER|s3://BUCKET/PREFIX\n",
        ],
        [["--what", "hours", "--to", "gs://b/p"], 1, "Cannot export to an address that begins"],
        [["--what", "hours", "--to", to, "--data", folder], 1, "vindkit.sqlite is missing there"],
      ] as const
    ) {
      const result = await callCommand("export", "--data", data, ...words);
      assertEquals([result.code, result.out], [code, ""], result.error);
      assertStringIncludes(result.error, message);
    }
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["data"]);
  });

  it("names the task with access to an object store", async () => {
    const to = ["--to", "s3://bucket/p"];
    const { code, out, error } = await runTask("export", "--data", data, "--what", "hours", ...to);
    assertEquals([code, out], [1, ""], error);
    assertStringIncludes(error, "run: deno task shared COMMAND");
  });
});
