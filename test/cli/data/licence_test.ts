import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { serve, type Server } from "../../../src/service/running/serve.ts";
import { openService } from "../../../src/service/running/service.ts";
import { makeSmallData } from "../../service/_small_data.ts";
import { callCommand } from "../_command.ts";
import { runTask } from "../_task.ts";

let data: string;
let server: Server;

const licence = (...words: string[]) => callCommand("licence", ...words);

async function readStatus(key: string): Promise<number> {
  const headers = { [KEY_HEADER]: key };
  const response = await fetch(`${server.url}/wind-index/calibrated/`, { headers });
  await response.body?.cancel();
  return response.status;
}

describe("deno task licence", () => {
  beforeAll(async () => {
    data = await Deno.makeTempDir();
    await makeSmallData(data);
    server = serve(await openService(data));
  });
  afterAll(async () => {
    await server.close();
    await Deno.remove(data, { recursive: true });
  });

  let key: string;

  it("add prints the key once, and it works in a running service", async () => {
    const { code, out, error } = await runTask(
      ..."licence add S-1 a@example.com --expires 2099-12-31 --turbines T1,T2 --data".split(" "),
      data,
    );
    assertEquals([code, error], [0, ""]);
    assertMatch(out, /S-1 +a@example.com +2099-12-31 +T1, T2 +all +1\n/);
    [, key] = /^Its key, shown only once: ([0-9a-f]{64})$/m.exec(out)!;
    assertEquals(out.split(key).length, 2);
    assertEquals(await readStatus(key), 200);
  });

  it("add covers nothing with an empty list, and prints no key with --no-key", async () => {
    const { code, out } = await licence(
      ..."add S-2 b@example.com --no-key --turbines= --data".split(" "),
      data,
    );
    assertEquals(code, 0);
    assertMatch(out, /S-2 +b@example.com +never +none +all +0$/);
    assert(!/[0-9a-f]{64}/.test(out));
  });

  it("list shows the licences and no key", async () => {
    const { code, out } = await licence("list", "--data", data);
    assertEquals(code, 0);
    assertEquals(out.trim().split("\n").map((line) => line.split(" ")[0]), [
      "serial",
      "S-1",
      "S-2",
    ]);
    assert(!/[0-9a-f]{64}/.test(out));
  });

  it("R6: keys lists them by name, and revoke-key ends only one of them in a running service", async () => {
    const query = new URLSearchParams({ serial_number: "S-1", email: "a@example.com" });
    const { api_key } = await (await fetch(`${server.url}/apikey?${query}`)).json();
    const list = () => licence("keys", "S-1", "--data", data);
    const { code, out } = await list();
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const row = (by: string) => String.raw`([0-9a-f]{12})  ${time}  with licence  ${by}`;
    const rows = new RegExp(`^key .*\n${row("command")}\n${row("request")}$`).exec(out);
    assertEquals([code, rows?.length], [0, 3], out);
    const [, , name] = rows!;
    const ended = await licence("revoke-key", "S-1", name, "--data", data);
    assertEquals([ended.code, ended.out], [0, `Revoked the key ${name} of S-1 in ${data}`]);
    assertEquals([await readStatus(api_key), await readStatus(key)], [401, 200]);
    const again = await licence("revoke-key", "S-1", name, "--data", data);
    assertEquals([again.code, again.out], [1, ""]);
    assertMatch(
      again.error,
      /^Cannot revoke the key "[0-9a-f]{12}" of "S-1": no key begins with this text/,
    );
  });

  it("revoke ends a key in a running service within a second", async () => {
    const { code, out } = await licence("revoke", "S-1", "--data", data);
    const started = performance.now();
    assertEquals(await readStatus(key), 401);
    assert(performance.now() - started < 1000);
    assertEquals([code, out], [0, `Revoked S-1 in ${data}: 1 key ended`]);
  });

  it("prints errors in one line without a stack, and misuse with the help", async () => {
    const unknown = await licence(
      "add",
      "S-3",
      "c@example.com",
      "--turbines",
      "T9",
      "--data",
      data,
    );
    assertEquals([unknown.code, unknown.out], [1, ""]);
    assertEquals(
      unknown.error,
      `Cannot add the licence "S-3": ${data} has no turbine "T9". Choose from its turbines: T1 and T2`,
    );
    for (
      const [words, problem] of [
        [
          ["--data", data],
          "An argument is missing: give one of add, list, keys, revoke, revoke-key",
        ],
        [["show"], 'The first argument is "show": give one of add, list, keys, revoke, revoke-key'],
        [["add", "S-3"], "The command takes 3 arguments in addition to its options, but got 2"],
        [["list", "S-3"], "The command takes 1 argument in addition to its options, but got 2"],
      ] as const
    ) {
      const { code, out, error } = await licence(...words);
      assertEquals([code, out], [2, ""]);
      assert(error.startsWith(`${problem}\n\nUsage:\n  deno task licence add`), error);
    }
  });
});
