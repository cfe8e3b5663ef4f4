import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PartFile } from "../../../src/client/orders/fetch_file.ts";

const TAG = '"v1"';
const encoder = new TextEncoder();

async function withHome(body: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await body(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Leaves a part of five bytes, as a process that crashed does, and returns its path. */
async function leavePart(
  home: string,
  known = { tag: TAG as string | null, total: 10 as number | null },
): Promise<string> {
  using part = await PartFile.open(home, "o-1");
  await part.begin(known);
  await part.write(encoder.encode("01234"));
  return part.path;
}

function listNames(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
}

describe("PartFile", () => {
  it("F29 grows where no other user can read", () =>
    withHome(async (home) => {
      const path = await leavePart(home);
      const modes = [`${home}/downloads`, path, `${path}.json`].map((each) =>
        (Deno.statSync(each).mode! & 0o777).toString(8)
      );
      assertEquals(modes, ["700", "600", "600"]);
    }));

  it("F29 refuses a folder that others may enter", () =>
    withHome(async (home) => {
      await Deno.mkdir(`${home}/downloads`);
      await Deno.chmod(`${home}/downloads`, 0o755);
      await assertRejects(() => PartFile.open(home, "o-1"), ConfigurationError, "chmod 700");
    }));

  it("still exists after a crash, with the facts about the file", () =>
    withHome(async (home) => {
      await leavePart(home);
      using part = await PartFile.open(home, "o-1");
      assertEquals([part.size, part.total, part.tag, part.resumable], [5, 10, TAG, true]);
      assertEquals(part.rangeHeaders(), {
        "accept-encoding": "identity",
        range: "bytes=5-",
        "if-range": TAG,
      });
      await part.write(encoder.encode("56789"));
      assertEquals([part.isWhole(), await Deno.readTextFile(part.path)], [true, "0123456789"]);
    }));

  it("has a part for each download", () =>
    withHome(async (home) => {
      await leavePart(home);
      using part = await PartFile.open(home, "o-2");
      assertEquals([part.size, part.resumable], [0, false]);
      assertEquals(part.rangeHeaders(), { "accept-encoding": "identity" });
    }));

  it("F14 begins again if it is not certain that the bytes are the same", () =>
    withHome(async (home) => {
      await leavePart(home, { tag: null, total: 10 });
      using part = await PartFile.open(home, "o-1");
      assertEquals([part.size, part.resumable, Deno.statSync(part.path).size], [0, false, 0]);
    }));

  const spoilt: Readonly<Record<string, (json: string, part: string) => Promise<void>>> = {
    "is missing": (json) => Deno.remove(json),
    "is truncated": (json) => Deno.writeTextFile(json, '{"tag":"\\"v1'),
    "is of another version": (json) =>
      Deno.writeTextFile(json, '{"tag":"\\"v1\\"","total":10,"x":1}'),
    "has no sensible length": (json) => Deno.writeTextFile(json, '{"tag":"\\"v1\\"","total":-1}'),
    "says less than there is": (json) => Deno.writeTextFile(json, '{"tag":"\\"v1\\"","total":4}'),
    "is of a missing part": (_, part) => Deno.remove(part),
  };
  for (const [label, spoil] of Object.entries(spoilt)) {
    it(`begins again if its record ${label}`, () =>
      withHome(async (home) => {
        const path = await leavePart(home);
        await spoil(`${path}.json`, path);
        using part = await PartFile.open(home, "o-1");
        assertEquals([part.size, part.resumable], [0, false]);
      }));
  }

  it("begins again on request, which it still knows after a crash", () =>
    withHome(async (home) => {
      await leavePart(home);
      {
        using part = await PartFile.open(home, "o-1");
        await part.begin({ tag: '"v2"', total: 3 });
        assertEquals([part.size, part.isWhole()], [0, false]);
        await part.write(encoder.encode("ab"));
      }
      using part = await PartFile.open(home, "o-1");
      assertEquals([part.size, part.total, part.tag], [2, 3, '"v2"']);
      assertEquals(await Deno.readTextFile(part.path), "ab");
    }));

  it("F39 belongs to one process at a time: the next one waits, then finds its bytes", () =>
    withHome(async (home) => {
      const first = await PartFile.open(home, "o-1");
      let opened = false;
      const second = PartFile.open(home, "o-1").then((part) => {
        opened = true;
        return part;
      });
      await first.begin({ tag: TAG, total: 10 });
      await first.write(encoder.encode("0123456"));
      assertEquals(opened, false);
      first[Symbol.dispose]();
      using part = await second;
      assertEquals(part.size, 7);
    }));

  it("moves the complete file, and leaves no other file", () =>
    withHome(async (home) => {
      await leavePart(home);
      const to = `${home}/whole.csv`;
      await Deno.writeTextFile(to, "what was there before");
      {
        using part = await PartFile.open(home, "o-1");
        await part.moveTo(to);
        await part.remove(); // does not affect the moved file
      }
      assertEquals(await Deno.readTextFile(to), "01234");
      assertEquals(listNames(home), ["downloads", "whole.csv"]);
      assertEquals(listNames(`${home}/downloads`).filter((name) => !name.endsWith(".lock")), []);
      using next = await PartFile.open(home, "o-1");
      assertEquals(next.size, 0);
    }));

  it("moves the complete file to another disk", () =>
    withHome(async (home) => {
      await leavePart(home);
      const folder = await Deno.makeTempDir({ dir: await findOtherDisk(home) });
      try {
        using part = await PartFile.open(home, "o-1");
        await part.moveTo(`${folder}/whole.csv`);
        assertEquals(await Deno.readTextFile(`${folder}/whole.csv`), "01234");
        assertEquals(listNames(folder), ["whole.csv"]);
        assertEquals(listNames(`${home}/downloads`).filter((name) => !name.endsWith(".lock")), []);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    }));

  it("stays if it cannot be moved", () =>
    withHome(async (home) => {
      await leavePart(home);
      {
        using part = await PartFile.open(home, "o-1");
        await assertRejects(() => part.moveTo(`${home}/none/whole.csv`), ConfigurationError);
      }
      using part = await PartFile.open(home, "o-1");
      assertEquals([part.size, part.resumable], [5, true]);
    }));
});

describe("PartFile.open()", () => {
  it("closes its files if it cannot begin", () =>
    withHome(async (home) => {
      const path = await leavePart(home, { tag: null, total: null });
      await Deno.remove(`${path}.json`);
      await Deno.mkdir(`${path}.json`);
      await assertRejects(() => PartFile.open(home, "o-1"), ConfigurationError); // the leak sanitizer sees the rest
    }));
});

/** Finds a folder on another disk than a path, if this machine has one. */
async function findOtherDisk(path: string): Promise<string | undefined> {
  const { dev } = await Deno.stat(path);
  const memory = await Deno.stat("/dev/shm").catch(() => undefined);
  return memory && memory.dev !== dev ? "/dev/shm" : undefined;
}
