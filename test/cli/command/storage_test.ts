import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { callerPath } from "../../../src/cli/command/arguments.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { formatCall, readStorage } from "../../../src/cli/command/storage.ts";
import { shareStorage } from "../../../src/machines/mod.ts";
import { defaultDataDirectory } from "../../../src/storage/mod.ts";
import { callCommand } from "../_command.ts";
import { runTaskWith } from "../_task.ts";

type Values = Readonly<Record<string, string>>;

/** The path of a data directory, or the addresses of a shared storage. */
function read(options: Values, variables: Values = {}) {
  const storage = readStorage((name) => options[name], (name) => variables[name]);
  if (typeof storage === "string") return storage;
  const { database, files } = storage;
  return { database, files };
}

const [database, files] = ["postgres://me:secret@db/wind", "s3://bucket/wind"];
const variables = { VINDKIT_DATABASE: database, VINDKIT_FILES: files };

describe("readStorage()", () => {
  it("uses the default data directory by default", () => {
    assertEquals(read({}), defaultDataDirectory());
    assertEquals(read({ data: "" }), defaultDataDirectory());
  });

  it("prefers options to variables", () => {
    assertEquals(read({ data: "/data" }, variables), "/data");
    assertEquals(read({ database, files: "/mnt/wind" }, variables), {
      database,
      files: "/mnt/wind",
    });
    assertEquals(read({}, variables), { database, files });
  });

  it("resolves the path of a shared folder against the caller's folder", () => {
    assertEquals(read({ database, files: "wind" }), { database, files: callerPath("wind") });
  });

  for (
    const [what, options, given, message] of [
      ["a database without files", { database }, {}, "Cannot use --database without --files"],
      ["files without a database", { files }, {}, "Cannot use --files without --database"],
      ["an empty option", { database, files: "" }, {}, "Cannot use --database without --files"],
      ["a variable alone", {}, { VINDKIT_FILES: files }, "Cannot use VINDKIT_FILES without"],
      ["an option with the variable of the other", { database }, variables, "without --files"],
      ["a data directory beside them", { data: "/d", database, files }, {}, "Cannot use --data"],
    ] as const
  ) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(() => read(options, given), MisuseError, message);
      assert(!error.message.includes("secret"));
    });
  }
});

describe("formatCall()", () => {
  it("names the task for a shared storage, and no password", () => {
    assertEquals(formatCall("serve", "/data"), "deno task serve --data /data");
    assertEquals(
      formatCall("serve", shareStorage({ database, files })),
      "deno task shared serve --database postgres://me@db/wind --files s3://bucket/wind",
    );
  });
});

describe("a shared storage", () => {
  const options = ["--database", database, "--files", files];

  it("is backed up by its own tools", async () => {
    const to = ["--to", "/nowhere/backup"];
    const { code, error } = await runTaskWith(variables, "backup", ...to);
    assertEquals(code, 2);
    assertMatch(
      error,
      /^Cannot back up postgres:\/\/me@db\/wind and s3:\/\/bucket\/wind: .*pg_dump/,
    );
  });

  it("is not moved to a data directory without its path", async () => {
    const { code, error } = await callCommand("migrate", ...options, "--data", "/nowhere");
    assertEquals([code, error.split(":")[0]], [2, "Cannot move data to --data"]);
  });

  it("has no report of update", async () => {
    const { code, error } = await callCommand("update", ...options, "--report", "/nowhere");
    assertEquals(code, 2);
    assertMatch(error, /^Cannot write a report from a shared database: .*VINDKIT_URL/);
  });

  it("is not served together with the sample", async () => {
    const { code, error } = await callCommand("serve", "--sample", "--files", files);
    assertEquals([code, error.split(":")[0]], [2, "Cannot serve --files and --sample together"]);
  });
});
