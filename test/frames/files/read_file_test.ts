import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { readRegularFile } from "../../../src/frames/files/read_file.ts";

describe("readRegularFile()", () => {
  it("F52 H7: refuses devices and folders, which have no end", async () => {
    for (
      const [path, kind] of [["/dev/zero", "a pipe or a device"], [Deno.cwd(), "a folder"]] as const
    ) {
      await assertRejects(
        () => readRegularFile(path),
        ArgumentError,
        `Cannot read ${path}: it is ${kind}. Give the path of a file`,
      );
    }
  });

  it("F52 H7: refuses a file that is larger than its bound before it is read", async () => {
    const file = await Deno.makeTempFile();
    await Deno.truncate(file, 2 ** 31 + 1); // a hole, which takes no disk
    await assertRejects(
      () => readRegularFile(file),
      DataFormatError,
      "but the limit is 2147483648",
    );
    await Deno.truncate(file, 3);
    assertEquals((await readRegularFile(file)).length, 3);
    await Deno.remove(file);
  });
});
