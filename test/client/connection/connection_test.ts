import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { inspect } from "node:util";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { lockData } from "../../../src/client/connection/default_connection.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { turbines } from "../../../src/client/calls/turbines.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { importFile, withSite } from "../../sites/_site.ts";
import { CANARY, withServer } from "../_local_server.ts";

async function listIds(connection: Connection): Promise<unknown[]> {
  return (await turbines({ connection })).getColumn("turbine_id").toArray();
}

describe("connect()", () => {
  describe("to the sample", () => {
    it("opens it in this process, without a key", async () => {
      await using connection = connect();
      assertEquals(connection.target, "sample");
      assertEquals(connection.key, undefined);
      assertEquals((await listIds(connection)).length, 8);
      assertEquals(provenance(await turbines({ connection }))[0]?.world, "sample");
    });

    it("opens it again after closing", async () => {
      const connection = connect({ sample: true });
      await listIds(connection);
      await connection.close();
      assertEquals((await listIds(connection)).length, 8);
      await connection.close();
    });

    it("opens it once for many calls at the same time", async () => {
      await using connection = connect({ sample: true });
      const all = await Promise.all(Array.from({ length: 5 }, () => listIds(connection)));
      for (const ids of all) assertEquals(ids.length, 8);
    });
  });

  describe("to own data", () => {
    it("opens them in this process, without a key", async () => {
      await withSite(async (site, data) => {
        await importFile(await site.siteFile(), data);
        await using connection = connect({ data });
        assertEquals(connection.target, "own");
        assertEquals(await listIds(connection), ["E1"]);
        assertEquals(provenance(await turbines({ connection }))[0]?.world, "own");
      });
    });

    it("reports that there are none, and works once they are imported", async () => {
      await withSite(async (site, data) => {
        await using connection = connect({ data });
        const { message } = await assertRejects(() => listIds(connection), ConfigurationError);
        assert(message.includes(data) && message.includes("deno task import"), message);
        await importFile(await site.siteFile(), data);
        assertEquals(await listIds(connection), ["E1"]);
      });
    });
  });

  describe("to a service", () => {
    it("sends the key in X-Auth, below the given address", async () => {
      await withServer(() => Response.json([{ turbine_id: "A" }]), async ({ url, seen }) => {
        await using connection = connect({ url: `${url}/api/v1/`, key: CANARY });
        assertEquals(connection.target, "live");
        assertEquals(await listIds(connection), ["A"]);
        assertEquals(seen.map(({ method, path, key }) => [method, path, key]), [
          ["GET", "/api/v1/wind-index/calibrated/", CANARY],
        ]);
      });
    });

    it("sends no header if there is no key", async () => {
      await withServer(() => Response.json([{ turbine_id: "A" }]), async ({ url, seen }) => {
        await listIds(connect({ url }));
        assertEquals(seen[0].key, null);
      });
    });

    it("accepts the world of a service that serves the sample", async () => {
      const headers = { "vindkit-world": "sample" };
      await withServer(
        () => Response.json([{ turbine_id: "A" }], { headers }),
        async ({ connection }) => {
          assertEquals(provenance(await turbines({ connection }))[0]?.world, "sample");
        },
      );
    });
  });

  describe("F20 shows no key", () => {
    const connection = connect({ url: "https://a.example", key: CANARY });
    const displays: Readonly<Record<string, () => string>> = {
      "a template": () => `${connection}`,
      "JSON": () => JSON.stringify({ connection }),
      "Deno.inspect": () =>
        Deno.inspect({ connection }, { showHidden: true, getters: true, depth: 9 }),
      "Node's inspect": () =>
        inspect({ connection }, { showHidden: true, getters: true, depth: 9 }),
      "its key": () => `${connection.key} ${JSON.stringify(connection.key)}`,
    };
    for (const [where, show] of Object.entries(displays)) {
      it(`in ${where}`, () => {
        assert(!show().includes(CANARY), show());
      });
    }
  });

  it("shows its target", () => {
    assertEquals(
      [
        connect({ sample: true }),
        connect({ data: "/data" }),
        connect({ url: "https://a.example/", key: CANARY }),
        connect({ url: "https://a.example" }),
      ].map(String),
      [
        "Connection to the built-in SYNTHETIC sample",
        "Connection to own data in /data",
        "Connection to https://a.example (with a key)",
        "Connection to https://a.example (without a key)",
      ],
    );
  });

  describe("shows itself", () => {
    it("with target, key, cache and lock", () => {
      const connection = connect({ url: "https://a.example/", key: CANARY, cache: "only" });
      const text = `Connection

Goes to    https://a.example
Key        set
Cache      offline: only stored answers are used
Data lock  none`;
      assertEquals(Deno.inspect(connection), text);
      const bundle = connection[JUPYTER_DISPLAY]();
      assertEquals(Object.keys(bundle), ["text/html", "text/plain"]);
      assertEquals(bundle["text/plain"], text);
    });

    it("says SYNTHETIC for the sample", () => {
      const text = Deno.inspect(connect({ sample: true }));
      assertStringIncludes(text, "SYNTHETIC: invented figures");
      assertStringIncludes(text, "Key        not needed");
    });

    it("reports a missing key, and how to set it", () => {
      const text = Deno.inspect(connect({ url: "https://a.example" }));
      assertStringIncludes(text, "Key        not set: give VINDKIT_KEY");
    });

    it("names the data lock without its folder, and no home folder", async () => {
      const home = await Deno.makeTempDir();
      try {
        const lock = `${home}/vindkit.lock`;
        const connection = await lockData(lock, { connection: connect({ sample: true, home }) });
        const text = Deno.inspect(connection);
        assertStringIncludes(text, "Cache      stores the answers that the data lock names");
        assertStringIncludes(text, "Data lock  vindkit.lock");
        assert(!text.includes(home));
      } finally {
        await Deno.remove(home, { recursive: true });
      }
    });
  });
});
