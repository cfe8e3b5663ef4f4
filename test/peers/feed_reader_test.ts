/**
 * The news feed read by `feedparser`, which many feed readers use.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOSTILE, serveNews } from "../service/pages/_news.ts";
import { jsonOfPeer, whyWithout } from "./_venv.ts";

const why = whyWithout("feedparser");
const group = why ? describe.ignore : describe;

group(why ? `the feed of news in feedparser (${why})` : "the feed of news in feedparser", () => {
  it("is read whole, with the key as a password, and names that are markup as text", async () => {
    await using news = await serveNews();
    const folder = await Deno.makeTempDir();
    const args = [`${news.url}/news.atom`, news.all];
    const read = await jsonOfPeer("read_feed.py", { args, cwd: folder }) as Record<string, unknown>;
    await Deno.remove(folder, { recursive: true });
    const { contents, titles, ...others } = read as { contents: string[]; titles: string[] };
    assertEquals<unknown>(others, {
      bozo: false,
      version: "atom10",
      statuses: [200, 304],
      refused: 401,
      title: "News of the wind indices",
      terms: [["final_climate", "new_month"], ["new_month"]],
      types: ["text/plain", "text/plain"],
      dated: true,
    });
    assertEquals(titles.map((title) => title.split(":")[0]), [HOSTILE[0], "3 turbines"]);
    assertStringIncludes(contents[0], "<li>&lt;b&gt;A&amp;1&lt;/b&gt;: new 2023-03");
  });
});
