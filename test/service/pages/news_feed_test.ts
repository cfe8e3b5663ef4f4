import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { serveSample } from "../_sample.ts";
import { HOSTILE, serveNews } from "./_news.ts";

const password = (key: string) => ({ authorization: `Basic ${btoa(`any:${key}`)}` });

/** Checks that a text is well-formed XML, and returns the texts of its elements by their names. */
function readXml(text: string): Map<string, string[]> {
  assert(text.isWellFormed() && !/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/u.test(text));
  const TOKEN =
    /<\?xml [^<>]*\?>|<(\/?)([a-z]+)((?: [a-z:]+="(?:[^<>&"]|&(?:amp|lt|gt|quot|#39);)*")*)(\/?)>|([^<>&]|&(?:amp|lt|gt|quot|#39);)+/y;
  const [open, texts]: [{ name: string; text: string }[], Map<string, string[]>] = [[], new Map()];
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [token, end, name, , empty] = TOKEN.exec(text) ?? [];
    assert(token !== undefined, `not well-formed: ${text.slice(at, at + 60)}`);
    if (name === undefined) {
      if (open.length > 0) open.at(-1)!.text += token;
    } else if (end) {
      const last = open.pop();
      assertEquals(last?.name, name);
      texts.set(name, [...texts.get(name) ?? [], last!.text]);
    } else if (!empty) open.push({ name, text: "" });
  }
  assertEquals(open, []);
  return texts;
}

describe("the feed of news", () => {
  it("is a well-formed Atom feed with an entry for each import with news, the latest first", async () => {
    await using news = await serveNews();
    const { response, text } = await news.ask({ [KEY_HEADER]: news.all });
    assertEquals(response.headers.get("content-type"), "application/atom+xml; charset=utf-8");
    const elements = readXml(text);
    assertEquals(elements.get("title"), [
      "News of the wind indices",
      "&lt;b&gt;A&amp;1&lt;/b&gt;: new 2023-03; final 2023-02",
      "3 turbines: new 2 months of 2023-01 to 2023-02",
    ]);
    assertEquals(elements.get("li"), [
      "&lt;b&gt;A&amp;1&lt;/b&gt;: new 2023-03 with 103.1 %; final 2023-02 with 102.1 %",
      "&amp;lt;C, ]]&gt;&#39;&quot;: new 2023-01 with 101.1 %",
      "&lt;b&gt;A&amp;1&lt;/b&gt;: new 2023-01 with 101.1 %, 2023-02 with 102.1 % (preliminary)",
    ]);
    assertEquals([...text.matchAll(/term="(\w+)"/g)].map(([, term]) => term), [
      ...["final_climate", "new_month", "new_month"],
    ]);
    assertEquals(elements.get("rights"), ["&lt;i&gt;Some &amp; body"]);
    const ids = elements.get("id")!;
    assertEquals(new Set(ids).size, 3);
    for (const id of ids) {
      assertMatch(id, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    }
    const updated = elements.get("updated")!;
    assertEquals([updated.length, updated[0]], [3, updated[1]]); // the feed has the time of its last entry
  });

  it("states the size of a revision in percentage points, and keeps the other entries", async () => {
    await using news = await serveNews();
    const before = readXml((await news.ask(password(news.all))).text);
    await news.revise(104.5);
    const after = readXml((await news.ask(password(news.all))).text);
    assertEquals(
      after.get("title")?.[1],
      "&lt;b&gt;A&amp;1&lt;/b&gt;: revised 2023-01 by at most 3.4 percentage points",
    );
    assertStringIncludes(
      after.get("li")![0],
      "revised 2023-01 from 101.1 % to 104.5 % (other climate data)",
    );
    assertEquals(after.get("id")!.toSpliced(1, 1), before.get("id"));
  });

  it("has only turbines of the licence, and other names for another licence", async () => {
    await using news = await serveNews();
    const [all, one] = await Promise.all(
      [news.all, news.one].map((key) => news.ask(password(key))),
    );
    for (const name of HOSTILE.slice(1)) {
      assert(!one.text.includes(name.replaceAll("&", "&amp;").split(">")[0]), one.text);
    }
    assertStringIncludes(one.text, "<subtitle>1 turbine;");
    assertEquals(new Set([all, one].flatMap(({ text }) => readXml(text).get("id")!)).size, 6);
  });

  it("accepts the key in its header or as a password, which it asks for, but not in an address", async () => {
    await using news = await serveNews();
    const refusals = [
      await news.ask(),
      await news.ask(password("wrong")),
      await news.ask({ authorization: "Basic %%%" }),
      await news.ask({ authorization: `Bearer ${news.all}` }),
      await news.ask({}, `/news.atom?key=${news.all}&X-Auth=${news.all}`),
    ];
    for (const { response: { status, headers } } of refusals) {
      assertEquals([status === 401 || status === 400, headers.get("content-type")], [
        true,
        "application/problem+json",
      ]);
    }
    assertEquals(refusals[0].response.headers.get("www-authenticate"), 'Basic realm="Vindkit"');
    const other = await news.ask(password(news.all), "/wind-index/calibrated/");
    assertEquals([other.response.status, other.response.headers.get("www-authenticate")], [
      401,
      "ApiKey",
    ]);
    assertEquals((await news.ask(password(news.all), "/news.atom/")).response.status, 200);
  });

  it("answers 304 to a reader that has it, until there are news", async () => {
    await using news = await serveNews();
    const first = await news.ask(password(news.all));
    const etag = first.response.headers.get("etag")!;
    const known = { ...password(news.all), "if-none-match": etag };
    assertEquals((await news.ask(known)).response.status, 304);
    await news.revise(99);
    const next = await news.ask(known);
    assertEquals(next.response.status, 200);
    assertNotEquals(next.response.headers.get("etag"), etag);
  });

  it("marks figures of the sample as invented in each title", async () => {
    const sample = await serveSample();
    try {
      const response = await fetch(`${sample.url}/news.atom`, {
        headers: { [KEY_HEADER]: await sample.newLicence() },
      });
      const titles = readXml(await response.text()).get("title")!;
      for (const title of titles) assertMatch(title, /^SYNTHETIC: /);
    } finally {
      await sample.close();
    }
  });
});
