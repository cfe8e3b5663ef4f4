/**
 * `stats`, `time` and `windindex` run in a browser: it loads each of their files without types, and computes the
 * same. `deno bundle` is no alternative, because it downloads a bundler outside of the lock file.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { stripTypeScriptTypes } from "node:module";
import { Browser, CHROMIUM, type Page } from "../service/pages/_browser.ts";
import { engineFigures } from "./_engine.ts";

const ROOT = new URL("../../", import.meta.url);
const ROOMS = ["stats", "time", "windindex"];

/** Paths of the files below a folder, which ends with a slash. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`.${folder}`, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
}

/** Answers with an empty page, or with a file of the checkout without its types. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith(".json")) {
    return new Response(await Deno.readTextFile(new URL(`.${pathname}`, ROOT)), {
      headers: { "content-type": "application/json" },
    });
  }
  if (!pathname.endsWith(".ts")) {
    return new Response('<link rel="icon" href="data:,">', {
      headers: { "content-type": "text/html" },
    });
  }
  const source = await Deno.readTextFile(new URL(`.${pathname}`, ROOT));
  return new Response(stripTypeScriptTypes(source), {
    headers: { "content-type": "text/javascript" },
  });
}

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the engine is not tested in a browser");

described("in a browser", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await server.shutdown();
  });
  beforeEach(async () => {
    page = await browser.page();
    await page.open(`http://127.0.0.1:${server.addr.port}/`);
  });

  it("every file of stats, time and windindex loads, with nothing but them and api", async () => {
    const files = ROOMS.flatMap((room) => filesBelow(`/src/${room}/`))
      .filter((file) => file.endsWith(".ts"));
    assert(files.length > 30, `${files.length} files`);
    await page.value(
      `Promise.all(${JSON.stringify(files)}.map((file) => import(file))).then(() => 0)`,
    );
    const others = page.requests.map((address) => new URL(address))
      .filter(({ pathname }) => !ROOMS.includes(pathname.split("/")[2]))
      .filter(({ pathname }) => pathname !== "/" && !pathname.startsWith("/src/api/"));
    assertEquals(others, []);
    assertEquals(page.console, []);
  });

  it("a calibration and its monthly indices are those of Deno", async () => {
    const computed = await page.value<(number | null)[]>(
      `import("/test/architecture/_engine.ts").then(({ engineFigures }) => engineFigures())`,
    );
    const expected = engineFigures();
    assertEquals(
      computed.map((figure) => figure === null),
      expected.map((figure) => figure === null),
    );
    expected.forEach((figure, i) => {
      if (figure !== null) assertAlmostEquals(computed[i]!, figure, Math.abs(figure) * 1e-9);
    });
    assert(expected.filter((figure) => figure !== null).length > 100);
  });
});
