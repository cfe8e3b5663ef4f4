import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { type Output, readNotebook } from "../../../src/notebook/document/notebook_document.ts";
import { isPlainHtml, notebookPage } from "../../../src/notebook/page/notebook_page.ts";
import { table } from "../../../src/show/table/table.ts";
import { notebookText } from "../_folder.ts";

function buildPage(markdown: string, ...data: Record<string, unknown>[]): Promise<string> {
  const { cells, metadata } = readNotebook(notebookText([{ markdown }, "f(a < b);"]), "n.ipynb");
  const outputs = data.map((data): Output => ({ output_type: "display_data", data, metadata: {} }));
  return notebookPage({ metadata, cells: [cells[0], { ...cells[1], outputs }] }, { title: "n" });
}

describe("notebookPage()", () => {
  it("is one document with a title, one first heading, and a policy that lets nothing run or load", async () => {
    const page = await buildPage("# Wind *and* `power`\n\n## Part\n\n## Part");
    assertStringIncludes(page, "<title>Wind and power</title>");
    assertStringIncludes(
      page,
      `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
    );
    assertEquals(page.match(/<h1/g)?.length, 1);
    assertStringIncludes(page, '<h2 id="part">');
    assertStringIncludes(page, '<h2 id="part-2">');
    assertStringIncludes(page, "<code>f(a &lt; b);</code>");
    assertStringIncludes(await buildPage("text"), "<h1>n</h1>");
  });

  it("shows our tables unchanged, and charts as pictures without scripts", async () => {
    const ourTable = table(pl.DataFrame({ site: ["A & B", null], speed: [1.5, 2] }), {
      title: "T",
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
    const page = await buildPage(
      "text",
      { "text/html": ourTable.html(), "text/plain": "t" },
      { "image/svg+xml": svg, "text/plain": 'A "chart"' },
    );
    assertStringIncludes(page, ourTable.html());
    const base64 = new TextEncoder().encode(svg).toBase64();
    assertStringIncludes(
      page,
      `src="data:image/svg+xml;base64,${base64}" alt="A &quot;chart&quot;"`,
    );
    assert(!page.includes("<script"));
  });

  it("shows the text of a picture whose name has an invalid percent sign", async () => {
    const page = await buildPage("![at 100 %](attachment:100%.png)");
    assertStringIncludes(page, "at 100 %");
  });

  it("F26 shows other than plain HTML, and HTML in Markdown, as text", async () => {
    const page = await buildPage(
      '<script>1</script>\n\n[a](javascript:x) ![b](https://example.com/p.png)\n\n<meta http-equiv="refresh">',
      { "text/html": "<b>x</b><script>2</script>", "text/plain": "x < y" },
      { "text/html": "<b>only</b></main>" },
    );
    assert(
      !/<script|<meta http-equiv="refresh|javascript:|<img[^>]*https:|<b>only/.test(page),
      page,
    );
    assertStringIncludes(page, "&lt;script&gt;");
    assertStringIncludes(page, "<pre>x &lt; y</pre>");
    assertStringIncludes(page, "Only a notebook can show this output: text/html");
  });
});

describe("isPlainHtml()", () => {
  const plain = [
    "",
    "text > &lt; &amp;",
    '<div class="a"><br><span style="opacity:.4" title="no value">–</span></div>',
    '<a href="https://example.com">a</a>',
    "<details open><summary>a</summary></details>",
  ];
  const other = [
    "<script>1</script>",
    "<img src=x onerror=1>",
    '<b onclick="1">a</b>',
    '<a href="javascript:1">a</a>',
    '<b style="background:url(//a)">a</b>',
    '<b style="position:fixed">a</b>',
    '<b style="background:\\75rl(a)">a</b>',
    "<style>a{}</style>",
    "<div>",
    "</div>",
    "<b><i></b></i>",
    "<!-- -->",
    "a < b",
    "<b title='a'>b</b>",
    '<b title="a>b</b>',
    "<iframe></iframe>",
    "<meta http-equiv=refresh>",
    "<svg><b></b></svg>",
  ];
  for (const html of plain) it(`takes ${html || "nothing"}`, () => assert(isPlainHtml(html)));
  for (const html of other) it(`leaves ${html}`, () => assert(!isPlainHtml(html)));
});
