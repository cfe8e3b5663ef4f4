/**
 * Signing in by the printed address: who gets in, who does not, and which traces remain.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { revokeLicence } from "../../../src/service/licences/licence_book.ts";
import { serve, type Server } from "../../../src/service/running/serve.ts";
import { openSample, type OpenServiceOptions } from "../../../src/service/running/service.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { rawGet } from "../../faults/_raw.ts";
import { issueKeys, type Keys } from "../_sample.ts";

const TURBINES = "/wind-index/calibrated/";
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

let folder: string;
let keys: Keys;
let server: Server;
const logged: string[] = [];

/** Serves the folder; the caller closes the server. */
async function serveFolder(options: OpenServiceOptions): Promise<Server> {
  return serve(await openSample({ ...options, folder }));
}

async function get(path: string, headers: Record<string, string> = {}, url = server.url) {
  const answer = await fetch(url + path, { headers, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Signs in, and returns the headers that a browser would then send. */
async function signIn(at = server): Promise<{ cookie: string; set: string }> {
  const answer = await fetch(at.issueSignInUrl()!, { redirect: "manual" });
  await answer.body?.cancel();
  const set = answer.headers.get("set-cookie")!;
  return { cookie: set.split(";")[0], set };
}

describe("V14: the sign-in address", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    server = await serveFolder({
      onAnswer: (answer) => logged.push(JSON.stringify(answer)),
      failedAttempts: Infinity,
    });
    const { store } = await openStorage(folder);
    keys = await issueKeys(store);
    await store.close();
  });
  afterAll(async () => {
    await server.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("signs in once, and leads to an address without the token", async () => {
    const url = server.issueSignInUrl()!;
    const token = new URL(url).searchParams.get("token")!;
    const path = url.slice(server.url.length);
    const { status, headers, text } = await get(path);
    assertEquals([status, headers.get("location"), text], [303, "/", ""]);
    assertEquals([headers.get("cache-control"), headers.get("referrer-policy")], [
      "no-store",
      "no-referrer",
    ]);
    const { port } = new URL(server.url);
    assertMatch(
      headers.get("set-cookie")!,
      new RegExp(`^vindkit-${port}=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const again = await get(path);
    assertEquals([again.status, again.headers.get("set-cookie")], [401, null]);
    assertMatch(again.text, /used before.*restart the service for a new address/);
    assert(!again.text.includes(token) && !logged.join().includes(token), "the token is shown");
    assertMatch(logged.at(-1)!, /"operation":"sign_in"/);
  });

  it("gives the local licence only to the service's own pages", async () => {
    const { cookie } = await signIn();
    for (const site of ["same-origin", "none"]) {
      const { status } = await get(TURBINES, { cookie, "sec-fetch-site": site });
      assertEquals(status, 200, site);
    }
    for (const site of ["same-site", "cross-site"]) {
      const { status } = await get(TURBINES, { cookie, "sec-fetch-site": site });
      assertEquals(status, 401, site);
    }
    assertEquals((await get(TURBINES, { cookie })).status, 401, "not said from where");
  });

  it("does not work under another name of this machine, as in DNS rebinding", async () => {
    const { cookie } = await signIn();
    const path = server.issueSignInUrl()!.slice(server.url.length);
    const foreign = { host: "wind.example.org", connection: "close" };
    const { status } = await rawGet({ url: server.url, path, headers: foreign });
    assertEquals(status, 421);
    const api = await rawGet({
      url: server.url,
      path: TURBINES,
      headers: { ...foreign, ...SAME_ORIGIN, cookie },
    });
    assertEquals(api.status, 421);
    assertEquals((await get(path)).status, 303, "the token is not used up by a refusal");
  });

  it("prefers the key in the header to the browser's", async () => {
    const { cookie } = await signIn();
    const t2 = await get(TURBINES, { cookie, ...SAME_ORIGIN, [KEY_HEADER]: keys.t2 });
    assertEquals(JSON.parse(t2.text).map((it: { turbine_id: string }) => it.turbine_id), ["T2"]);
  });

  it("reports whether a browser is signed in, and removes an invalid key", async () => {
    const { cookie } = await signIn();
    const read = async (headers: Record<string, string>) => {
      const { text, headers: all } = await get("/session", headers);
      return [JSON.parse(text).signed_in, /Max-Age=0/.test(all.get("set-cookie") ?? "")];
    };
    assertEquals(await read({ cookie, ...SAME_ORIGIN }), [true, false]);
    assertEquals(await read(SAME_ORIGIN), [false, false]);
    const wrong = cookie.replace(/=.*/, `=${keys.unknown}`);
    assertEquals(await read({ cookie: wrong, ...SAME_ORIGIN }), [false, true]);
  });

  it("ends the browser's key when it signs out, and when the owner revokes the licence", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const out = await get("/sign-out", { cookie: first.cookie, ...SAME_ORIGIN });
    assertMatch(out.headers.get("set-cookie")!, /Max-Age=0/);
    const status = async (cookie: string) =>
      (await get(TURBINES, { cookie, ...SAME_ORIGIN })).status;
    assertEquals([await status(first.cookie), await status(second.cookie)], [401, 200]);
    await get("/sign-out", { cookie: second.cookie, "sec-fetch-site": "same-site" });
    assertEquals(await status(second.cookie), 200, "another site cannot sign it out");
    await revokeLicence(folder, "local");
    assertEquals(await status(second.cookie), 401);
  });

  it("counts wrong tokens and wrong keys of a browser like other wrong keys", async () => {
    const limited = await serveFolder({ failedAttempts: 2 });
    try {
      const { cookie } = await signIn(limited);
      const guess = async () => await get("/sign-in?token=guess", {}, limited.url);
      const wrong = { cookie: cookie.replace(/=.*/, `=${keys.unknown}`), ...SAME_ORIGIN };
      assertEquals((await guess()).status, 401);
      assertEquals((await get(TURBINES, wrong, limited.url)).status, 401);
      const third = await guess();
      assertEquals(third.status, 429);
      assert(Number(third.headers.get("retry-after")) > 0);
      assertEquals((await get(TURBINES, wrong, limited.url)).status, 429);
      assertEquals((await get(TURBINES, { ...wrong, cookie }, limited.url)).status, 200);
    } finally {
      await limited.close();
    }
  });

  it("does not exist if other machines reach the service", async () => {
    for (
      const options of [{ behindProxy: true }, { publicUrl: "https://wind.example.org" }]
    ) {
      const remote = await serveFolder(options);
      try {
        assertEquals(remote.issueSignInUrl(), undefined);
        for (const path of ["/sign-in?token=x", "/session", "/sign-out"]) {
          assertEquals((await get(path, {}, remote.url)).status, 404);
        }
      } finally {
        await remote.close();
      }
    }
  });
});
