import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { callerPath } from "../../src/cli/command/arguments.ts";
import { MisuseError } from "../../src/cli/command/command.ts";
import { readSource } from "../../src/cli/command/storage.ts";

type Values = Readonly<Record<string, string>>;

const [database, files] = ["postgres://me:secret@db/wind", "s3://bucket/wind"];

describe("readSource()", () => {
  const readFrom = (options: Values) => readSource((name) => options[name]);

  it("returns a data directory, or a database and its files, or undefined", () => {
    assertEquals(readFrom({ from: "wind", database, files }), callerPath("wind"));
    const source = readFrom({ "from-database": database, "from-files": files });
    assert(typeof source === "object");
    assertEquals([source.database, source.files], [database, files]);
    assertEquals(readFrom({ data: "/data", database, files }), undefined);
  });

  it("refuses half of a pair, and both sources at once", () => {
    const half = { "from-database": database };
    assertThrows(
      () => readFrom(half),
      MisuseError,
      "Cannot use --from-database without --from-files",
    );
    assertThrows(
      () => readFrom({ ...half, from: "/data" }),
      MisuseError,
      "Cannot use --from together with --from-database and --from-files",
    );
  });
});
