import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Links, relativeTo } from "../../site/links.ts";
import { Markdown, pathOf } from "../../site/pages.ts";
import { cutSignature } from "../../site/reference.ts";

describe("Links", () => {
  const page = { source: "docs/a.md", path: "docs/a.html" };
  const follow = (html: string) => {
    const links = new Links(pathOf);
    const named: string[] = [];
    return { links, named, html: links.follow(html, page, (source) => named.push(source)) };
  };

  it("makes links between files of the checkout lead from page to page", () => {
    const { html, named } = follow(
      `<a href="../README.md">1</a> <a href="b.md#part">2</a> <a href="#own">3</a> ` +
        `<a href="../notebooks/1_x.ipynb">4</a> <img src="c.svg"> <a href="/api/mod.html#pl">5</a>`,
    );
    assertEquals(
      html,
      `<a href="../index.html">1</a> <a href="b.html#part">2</a> <a href="#own">3</a> ` +
        `<a href="../notebooks/1_x.html">4</a> <img src="c.svg"> <a href="../api/mod.html#pl">5</a>`,
    );
    assertEquals(named, ["README.md", "docs/b.md", "notebooks/1_x.ipynb", "docs/c.svg"]);
  });

  it("leaves addresses elsewhere as they are", () => {
    const html = `<a href="https://example.org/x#y">1</a> <img src="data:image/png;base64,AA">`;
    assertEquals(follow(html).html, html);
  });

  it("names links to files and headings that do not exist", () => {
    const { links } = follow(
      `<a href="b.md">1</a> <a href="gone.md">2</a> <a href="b.md#gone">3</a> <a href="#gone">4</a>`,
    );
    const written = new Map([["docs/a.html", "<h1>A</h1>"], ["docs/b.html", `<h2 id="part">`]]);
    assertEquals(links.findBroken(written), [
      "docs/a.md: gone.md is no file of the checkout",
      "docs/a.md: b.md#gone is no heading of docs/b.html",
      "docs/a.md: #gone is no heading of docs/a.html",
    ]);
  });

  it("gives addresses from any depth", () => {
    assertEquals(relativeTo("index.html", "docs/a.html"), "docs/a.html");
    assertEquals(relativeTo("docs/decisions/a.html", "site.css"), "../../site.css");
    assertEquals(relativeTo("docs/a.html", "docs/a.html"), "a.html");
  });
});

describe("Markdown", () => {
  const markdown = new Markdown(new Map([["connect", "api/mod.html#connect"]]));

  it("gives headings the identifiers that links in the docs have", () => {
    assertEquals(
      markdown.render("# Production: `readProduction(files, how)`\n## Twice\n## Twice\n"),
      `<h1 id="production-readproductionfiles-how">Production: <code>readProduction(files, how)` +
        `</code></h1>\n<h2 id="twice">Twice</h2>\n<h2 id="twice-1">Twice</h2>\n`,
    );
  });

  it("leads from code that names a function to its documentation, but not within a link", () => {
    assertEquals(
      markdown.render("`connect()`, `connect`, `other()`, [`connect()`](x.md)"),
      `<p><a href="/api/mod.html#connect"><code>connect()</code></a>, <code>connect</code>, ` +
        `<code>other()</code>, <a href="x.md"><code>connect()</code></a></p>\n`,
    );
  });

  it("reads the groups of pages that the README lists", () => {
    const text =
      "**To begin**\n\n- [Files](docs/files.md): how\n- none\n\nText **bold**\n\n- [x](y)\n";
    assertEquals(markdown.readGroups(text), [
      { name: "To begin", links: [{ title: "Files", href: "docs/files.md" }] },
    ]);
  });
});

describe("cutSignature()", () => {
  const cuts: Readonly<Record<string, string>> = {
    "function a(b: { c: number }, d: string[] = []): { e: number } {\n  return;\n}":
      "function a(b: { c: number }, d: string[] = []): { e: number }",
    "function a(b: string): void;\nfunction a() {}": "function a(b: string): void",
    "interface A extends B<C> {\n  d: number;\n}": "interface A extends B<C>",
    "type A = { b: number } | (() => void);\nconst c = 1;": "type A = { b: number } | (() => void)",
    "export type A = string;": "export type A = string",
    "readonly a: (b: number) => Promise<void>;": "readonly a: (b: number) => Promise<void>",
    "const a: Readonly<Record<string, number>> = { b: 1 };":
      "const a: Readonly<Record<string, number>>",
  };
  for (const [source, signature] of Object.entries(cuts)) {
    it(`cuts ${JSON.stringify(source.slice(0, 40))}`, () => {
      assertEquals(cutSignature(source, { line: 0, col: 0 }), signature);
    });
  }
});
