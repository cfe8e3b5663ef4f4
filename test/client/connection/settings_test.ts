import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import {
  configPath,
  type ConnectOptions,
  connectOptions,
  findSettings,
  Secret,
} from "../../../src/client/connection/settings.ts";
import { readOptions } from "../../../src/show/options/read_options.ts";

const CANARY = "canary-93ab";

interface Levels {
  readonly argument?: ConnectOptions;
  readonly environment?: Pick<ConnectOptions, "url" | "data"> & { readonly key?: string };
  readonly file?: Readonly<Record<string, unknown>>;
}

describe("findSettings()", () => {
  let home: string;

  beforeEach(async () => {
    home = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(home, { recursive: true }));

  /** Settings with these values at each level, the key revealed. */
  function settings({ argument = {}, environment = {}, file }: Levels): unknown {
    const { url, key, data } = environment;
    const variables = {
      VINDKIT_HOME: home,
      VINDKIT_URL: url,
      VINDKIT_KEY: key,
      VINDKIT_DATA: data,
    };
    if (file) Deno.writeTextFileSync(configPath(home), JSON.stringify(file));
    const { target } = findSettings(
      readOptions("connect()", argument, connectOptions),
      new Map(Object.entries(variables)),
    );
    return target.kind === "live" ? { ...target, key: target.key?.reveal() } : target;
  }

  function refusal(levels: Levels): string {
    const { message } = assertThrows(() => settings(levels), ConfigurationError);
    assert(!message.includes(CANARY), message);
    return message;
  }

  const live = (url: string, key?: string) => ({ kind: "live", url, key });
  const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"];

  describe("finds the world", () => {
    it("of the sample if nothing is set", () => {
      assertEquals(settings({}), { kind: "sample" });
    });

    it("of the sample if the variables are empty", () => {
      assertEquals(settings({ environment: { url: "", key: "", data: "" } }), { kind: "sample" });
    });

    it("of the arguments, then of the environment, then of the file", () => {
      const [argument, environment, file] = [
        { url: a, key: "ka" },
        { url: b, key: "kb" },
        { url: c, key: "kc" },
      ];
      assertEquals(settings({ argument, environment, file }), live(a, "ka"));
      assertEquals(settings({ environment, file }), live(b, "kb"));
      assertEquals(settings({ file }), live(c, "kc"));
    });

    it("of a data directory at the same levels", () => {
      const dataTarget = (data: string) => ({ kind: "own", data });
      assertEquals(
        settings({ argument: { data: "/a" }, environment: { url: b, key: "kb" } }),
        dataTarget("/a"),
      );
      assertEquals(settings({ environment: { data: "/b" }, file: { url: c } }), dataTarget("/b"));
      assertEquals(settings({ environment: {}, file: { data: "/c" } }), dataTarget("/c"));
    });

    it("of an address before a lower level's data", () => {
      assertEquals(settings({ argument: { url: a }, environment: { data: "/b" } }), live(a));
    });

    it("of the sample on request, whatever the other settings", () => {
      const levels = {
        argument: { sample: true },
        environment: { url: b, key: "kb" },
        file: { url: c },
      };
      assertEquals(settings(levels), { kind: "sample" });
    });

    it("without looking at a broken file if a higher level decides", () => {
      Deno.writeTextFileSync(configPath(home), "{");
      assertEquals(settings({ environment: { url: b } }), live(b));
      assertStringIncludes(refusal({}), "config.json: it is not JSON");
    });
  });

  describe("sends a key only to the address of its own level", () => {
    it("not a key of the environment to an argument's address", () => {
      assertEquals(settings({ argument: { url: a }, environment: { url: b, key: "kb" } }), live(a));
      assertEquals(settings({ argument: { url: a }, environment: { key: "kb" } }), live(a));
    });

    it("not a key of the file to another address", () => {
      assertEquals(settings({ environment: { url: b }, file: { url: c, key: "kc" } }), live(b));
    });

    it("but a key that is an argument to any address", () => {
      const argument = { key: "ka" };
      assertEquals(settings({ argument, environment: { url: b, key: "kb" } }), live(b, "ka"));
      assertEquals(
        settings({ argument, environment: {}, file: { url: c, key: "kc" } }),
        live(c, "ka"),
      );
      assertEquals(settings({ argument: { url: a, key: new Secret("ka") } }), live(a, "ka"));
    });
  });

  describe("refuses", () => {
    it("a key without an address, and names the missing setting", () => {
      assertEquals(
        refusal({ argument: { key: CANARY } }),
        "Cannot connect: the key has no address. Give url as well",
      );
      assertEquals(
        refusal({ environment: { key: CANARY } }),
        "Cannot connect: the environment has a key but no address. Set VINDKIT_URL as well. To use the sample, unset the key",
      );
      assertStringIncludes(refusal({ file: { key: CANARY } }), "the config file has a key but no");
    });

    it("a key of the environment without an address even if the file has one", () => {
      assertStringIncludes(
        refusal({ environment: { key: CANARY }, file: { url: c, key: "kc" } }),
        "the environment has a key but no address",
      );
    });

    it("a key for a data directory, which needs none", () => {
      refusal({ argument: { data: "/a", key: CANARY } });
      refusal({ environment: { data: "/b", key: CANARY } });
    });

    it("an address and a data directory at once", () => {
      const problem = "both an address and a data directory";
      assertStringIncludes(refusal({ argument: { url: a, data: "/a" } }), problem);
      assertStringIncludes(refusal({ environment: { url: b, data: "/b" } }), "the environment");
      assertStringIncludes(refusal({ file: { url: c, data: "/c" } }), "the config file");
    });

    it("the sample together with anything else", () => {
      for (const more of [{ url: a }, { key: CANARY }, { data: "/a" }]) {
        refusal({ argument: { sample: true, ...more } });
      }
    });

    for (
      const [label, url] of [
        ["no address", "a.example"],
        ["nothing to speak HTTP with", "ftp://a.example"],
        ["a file", "file:///etc/passwd"],
        ["a user name", `https://user@a.example`],
        ["a password", `https://user:${CANARY}@a.example`],
        ["a query", `https://a.example/?key=${CANARY}`],
        ["a fragment", `https://a.example/#${CANARY}`],
      ]
    ) {
      it(`an address that is or has ${label}`, () => {
        assertStringIncludes(refusal({ argument: { url } }), "Cannot connect");
      });
    }
  });

  it("accepts an address with a path, without its last slashes", () => {
    assertEquals(
      settings({ argument: { url: "https://a.example/api//" } }),
      live("https://a.example/api"),
    );
    assertEquals(settings({ argument: { url: "HTTPS://A.Example" } }), live(a));
  });

  describe("F19 refuses a key that a header cannot contain, and shows no part of it", () => {
    for (
      const [label, bad] of [
        ["a line feed", `${CANARY}\nx`],
        ["a carriage return", `${CANARY}\r`],
        ["a NUL", `${CANARY}\u0000`],
        ["a space", `${CANARY} x`],
        ["a tab", `\t${CANARY}`],
        ["a letter that is not Latin", `${CANARY}\u0436`],
        ["an umlaut", `${CANARY}\u00fc`],
        ["a character of two halves", `${CANARY}\u{1f4a8}`],
        ["more than a thousand characters", CANARY.repeat(100)],
        ["nothing in it", ""],
      ]
    ) {
      it(label, () => {
        const message = refusal({ argument: { url: a, key: bad } });
        assertStringIncludes(message, "Cannot use the key");
        if (bad !== "") refusal({ argument: { url: a, key: new Secret(bad) } });
      });
    }
  });

  it("H13 does not read the config file if the environment has address and key", () => {
    Deno.mkdirSync(configPath(home)); // reading it would fail
    assertEquals(settings({ environment: { url: a, key: "k" } }), live(a, "k"));
    assertThrows(() => settings({}), Error);
  });

  it("has defaults for timeouts and concurrency", () => {
    const { timeouts, concurrency } = findSettings(
      readOptions("connect()", { sample: true }, connectOptions),
    );
    assertEquals(timeouts, { total: 600_000, headers: 60_000, idle: 30_000 });
    assertEquals(concurrency, 16);
    const few = { sample: true, timeout: 1, concurrency: 2 };
    const changed = findSettings(readOptions("connect()", few, connectOptions));
    assertEquals([changed.timeouts.total, changed.concurrency], [1, 2]);
  });
});
