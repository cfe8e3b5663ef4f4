import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { checkConnection, type ConnectionCheck } from "../../../src/client/calls/access.ts";
import { lockData } from "../../../src/client/connection/default_connection.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { withService } from "../../faults/_with_service.ts";
import type { FaultAct, RequestKind } from "../../faults/_fault.ts";
import { withoutPauses } from "../../faults/_reads.ts";
import { licences, serveSample } from "../../service/_sample.ts";
import { CANARY, type Handler, withRawServer, withServer } from "../_local_server.ts";

/** Collects all displays of a check: in a notebook, on the console and in a log. */
async function collectDisplays(check: ConnectionCheck): Promise<string> {
  const bundle = Object.values(await check[JUPYTER_DISPLAY]()).join("\n");
  return `${bundle}\n${check}\n${Deno.inspect(check)}\n${JSON.stringify(check)}`;
}

async function assertHidden(check: ConnectionCheck, secret: string): Promise<void> {
  const displays = await collectDisplays(check);
  assert(!displays.includes(secret), displays);
}

/** Lists the facts of a check, without its texts. */
function listFacts(check: ConnectionCheck): unknown[] {
  return [check.ok, check.reachable, check.key, check.turbines.length, check.datasets.length];
}

const all = (on: RequestKind, act: FaultAct) => ({ on, times: Infinity, act });
const bothLists = (act: FaultAct) => [all("turbines", act), all("datasets", act)];

describe("checkConnection()", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it("shows what a key gives access to, but never the key", async () => {
    await withService(async ({ connection, url, key }) => {
      const check = await checkConnection({ connection });
      assertEquals(listFacts(check), [true, true, "accepted", 8, 1]);
      assertEquals([check.world, check.turbines[0], check.datasets], ["sample", "T1", ["era5"]]);
      assertEquals(check.problems, []);
      assertStringIncludes(String(check), `Connection to ${url} (with a key): works`);
      await assertHidden(check, key.reveal());
    });
  });

  it("shows itself: on the console, in a notebook as text and as HTML, and as plain data", async () => {
    await withServer(() => Response.json([{ turbine_id: "<b>A</b>" }]), async ({ connection }) => {
      const check = await checkConnection({ connection });
      const bundle = await check[JUPYTER_DISPLAY]();
      assertEquals(Deno.inspect(check), String(check));
      assertEquals(bundle["text/plain"], String(check));
      assertStringIncludes(String(check), "Turbines   1: <b>A</b>");
      assertStringIncludes(String(bundle["text/html"]), "1: &lt;b&gt;A&lt;/b&gt;");
      assert(!String(bundle["text/html"]).includes("<b>"));
      assertEquals(JSON.parse(JSON.stringify(check)).turbines, ["<b>A</b>"]);
    });
  });

  it("lists no more names than fit on a screen", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ turbine_id: `T${i}` }));
    await withServer(() => Response.json(many), async ({ connection }) => {
      const check = await checkConnection({ connection });
      assertEquals(check.turbines.length, 10_000);
      assertStringIncludes(String(check), "10000: T0, T1, T2, T3, T4, T5, T6, T7, ...");
    });
  });

  it("works on the sample, which needs no key", async () => {
    await using connection = connect({ sample: true });
    const check = await checkConnection({ connection });
    assertEquals(listFacts(check), [true, true, "none", 8, 1]);
  });

  it("reports a refused or missing key, with a remedy", async () => {
    const sample = await serveSample();
    try {
      for (const key of ["no-such-key", undefined]) {
        const connection = connect({ url: sample.url, ...(key ? { key } : {}) });
        const check = await checkConnection({ connection });
        assertEquals(listFacts(check), [false, true, "refused", 0, 0]);
        assertStringIncludes(check.problems[0], "VINDKIT_KEY");
        assertStringIncludes(String(check), "does not work");
      }
      const { nothing } = sample.keys;
      const empty = await checkConnection({
        connection: connect({ url: sample.url, key: nothing }),
      });
      assertEquals(listFacts(empty), [false, true, "accepted", 0, 0]);
      assertEquals(empty.problems.length, 2, "a licence for nothing");
      const key = sample.keys.t2;
      const part = await checkConnection({ connection: connect({ url: sample.url, key }) });
      assertEquals([part.ok, part.key, part.turbines], [true, "accepted", licences.t2.turbines]);
    } finally {
      await sample.close();
    }
  });

  it("F1 reports an unreachable service, once and soon", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    listener.close();
    let tries = 0;
    const onRequest = () => void tries++;
    const connection = connect({ url: `http://127.0.0.1:${port}`, key: CANARY, onRequest });
    const check = await checkConnection({ connection });
    assertEquals(listFacts(check), [false, false, "not known", 0, 0]);
    assertEquals([check.problems.length, tries], [1, 3]);
    assertEquals(check.world, undefined);
  });

  const acts: Readonly<Record<string, [FaultAct, boolean]>> = {
    "resets": [{ kind: "reset" }, false],
    "stalls": [{ kind: "stall", where: "headers" }, false],
    "stalls in the middle": [{ kind: "stall", where: "body" }, false],
    "breaks off": [{ kind: "cut", framing: "length" }, false],
    "shows a page": [{ kind: "body", body: "<html>Log in" }, true],
    "sends no JSON": [{ kind: "body", body: "hello" }, true],
    "sends other JSON": [{ kind: "body", body: '{"turbines": 5}' }, true],
    "sends nothing": [{ kind: "body", body: "" }, true],
    "is down": [{ kind: "status", status: 503, headers: { "retry-after": "0" } }, true],
    "is busy": [{ kind: "status", status: 429, headers: { "retry-after": "0" } }, true],
    "does not have it": [{ kind: "status", status: 404 }, true],
    "is a teapot": [{ kind: "status", status: 418 }, true],
    "leads astray": [{ kind: "redirect", to: "https://elsewhere.example/" }, false],
    "leads in a circle": [{ kind: "redirect", to: "." }, false],
  };
  for (const [label, [act, reachable]] of Object.entries(acts)) {
    it(`never throws for a service that ${label}`, async () => {
      await withService(async ({ connection, key }) => {
        const check = await checkConnection({ connection });
        assertEquals([check.ok, check.turbines, check.datasets], [false, [], []]);
        assertEquals(check.reachable, reachable);
        assertEquals(check.key, "not known");
        assert(check.problems.length >= 1);
        await assertHidden(check, key.reveal());
      }, { faults: bothLists(act), connection: { headersTimeout: 60, idleTimeout: 60 } });
    });
  }

  it("reports it if only one of the two lists fails", async () => {
    await withService(async ({ connection }) => {
      const check = await checkConnection({ connection });
      assertEquals(listFacts(check), [false, true, "accepted", 0, 1]);
      assertEquals([check.problems.length, check.world], [1, "sample"]);
    }, { faults: [all("turbines", { kind: "body", body: "<html>" })] });
  });

  it("accepts a licence without turbines, or without datasets", async () => {
    for (const on of ["turbines", "datasets"] as const) {
      await withService(async ({ connection }) => {
        const check = await checkConnection({ connection });
        assertEquals([check.ok, check.key, check.problems], [true, "accepted", []]);
      }, { faults: [all(on, { kind: "status", status: 400 })] });
    }
  });

  const echoes: Readonly<Record<string, Handler>> = {
    "in a page": () => new Response(`<html>${CANARY}`),
    "in a refusal": () => Response.json({ detail: `${CANARY} is wrong` }, { status: 401 }),
    "in a text": () => new Response(`unknown key ${CANARY}`),
    "in JSON of another kind": () => Response.json({ error: `unknown key ${CANARY}` }),
    "in a redirect": () =>
      new Response(null, {
        status: 302,
        headers: { location: `https://elsewhere.example/?key=${CANARY}` },
      }),
  };
  for (const [where, handler] of Object.entries(echoes)) {
    it(`F20 shows no key that the service repeats ${where}`, async () => {
      await withServer(handler, async ({ connection }) => {
        const check = await checkConnection({ connection });
        assertEquals(check.ok, false);
        await assertHidden(check, CANARY);
      });
    });
  }

  const headers: Readonly<Record<string, Record<string, string>>> = {
    "an attribution that is not percent-encoded": { "vindkit-attribution": "100 %" },
    "a world that there is not": { "vindkit-world": "flat" },
    "an invalid type": { "content-type": "\u00e9" },
  };
  for (const [label, header] of Object.entries(headers)) {
    it(`never throws for ${label}`, async () => {
      const list = () => new Response("[]", { headers: header });
      await withServer(list, async ({ connection }) => {
        const check = await checkConnection({ connection });
        assert(["live", undefined].includes(check.world), check.world);
      });
    });
  }

  for (const answer of ["", "220 mail.example ESMTP\r\n", "HTTP/1.1 200 OK\r\n\r\n\0\xff{", "\0"]) {
    it(`never throws for the bytes ${JSON.stringify(answer)}`, async () => {
      await withRawServer(answer, async ({ connection }) => {
        assertEquals((await checkConnection({ connection })).ok, false);
      });
    });
  }

  it("F15 ends with its signal", async () => {
    await withServer(() => Response.json([]), async ({ connection, seen }) => {
      const signal = AbortSignal.abort(new Error("stop"));
      await assertRejects(() => checkConnection({ connection, signal }), Error, "stop");
      assertEquals(seen, []);
    });
  });

  it("calls the service also with a data lock, and records nothing in it", async () => {
    let status = 200;
    const handler: Handler = () => Response.json([{ turbine_id: "A" }], { status });
    await withServer(handler, async ({ connection, home }) => {
      const locked = await lockData(`${home}/a.lock.json`, { connection });
      await checkConnection({ connection: locked });
      status = 401;
      assertEquals((await checkConnection({ connection: locked })).key, "refused");
      await assertRejects(() => Deno.stat(`${home}/a.lock.json`), Deno.errors.NotFound);
    });
  });

  it("calls the service even if a cache would have the answer", async () => {
    await withServer(() => Response.json([{ turbine_id: "A" }]), async ({ connection, seen }) => {
      for (const requests of [2, 4]) {
        await checkConnection({ connection });
        assertEquals(seen.length, requests);
      }
    }, { cache: "use" });
  });
});
