import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readLock, withWorld } from "../cache/_locked_server.ts";
import { CANARY, withServer } from "../_local_server.ts";
import { runScript } from "../_script.ts";

describe("the default connection", () => {
  it("is made from the environment at the first call, and reused", async () => {
    await withServer(() => Response.json([{ turbine_id: "A" }]), async ({ url, seen }) => {
      const { printed } = await runScript(
        `import { turbines } from "@vindkit/vindkit";
        await turbines();
        Deno.env.set("VINDKIT_URL", "http://127.0.0.1:1");
        Deno.env.set("VINDKIT_KEY", "other");
        console.log((await turbines()).height);`,
        { VINDKIT_URL: url, VINDKIT_KEY: CANARY },
      );
      assertEquals(printed, "1\n");
      assertEquals(seen.map(({ key }) => key), [CANARY, CANARY]);
    });
  });

  it("is made again at the first call after it was closed", async () => {
    await withServer(() => Response.json([{ turbine_id: "A" }]), async ({ url, seen }) => {
      const { printed } = await runScript(
        `import { closeDefaultConnection, turbines } from "@vindkit/vindkit";
        await turbines();
        await closeDefaultConnection();
        Deno.env.set("VINDKIT_KEY", "second");
        await turbines();`,
        { VINDKIT_URL: url, VINDKIT_KEY: "first" },
      );
      assertEquals(printed, "");
      assertEquals(seen.map(({ key }) => key), ["first", "second"]);
    });
  });

  it("opens no service before the first request", async () => {
    const { printed, left } = await runScript(
      `import { connect } from "@vindkit/vindkit";
      const connection = connect();
      await connection.close();
      console.log(connection.target);`,
    );
    assertEquals([printed, left], ["sample\n", []]);
  });

  it("is locked by lockData() for the calls that name no connection, until it is closed", async () => {
    await withWorld(async ({ path, url, seen }) => {
      const { printed } = await runScript(
        `import { closeDefaultConnection, lockData, windIndices } from "@vindkit/vindkit";
        await lockData(${JSON.stringify(path)});
        await windIndices("T1");
        await windIndices("T1");
        console.log("closed");
        await closeDefaultConnection();
        await windIndices("T1");`,
        { VINDKIT_URL: url, VINDKIT_KEY: CANARY },
      );
      assertEquals([printed, seen.length], ["closed\n", 2]);
      assertEquals((await readLock(path)).bodies.length, 1);
    });
  });

  it("is not changed by lockData() on another connection", async () => {
    await withWorld(async ({ path, url, seen }) => {
      const { printed } = await runScript(
        `import { connect, lockData, windIndices } from "@vindkit/vindkit";
        await lockData(${JSON.stringify(path)}, { connection: connect() });
        await windIndices("T1");
        await windIndices("T1");`,
        { VINDKIT_URL: url, VINDKIT_KEY: CANARY },
      );
      assertEquals([printed, seen.length], ["", 2]);
      assertEquals([...Deno.readDirSync(path.replace(/[^/]+$/, ""))], []);
    });
  });
});
