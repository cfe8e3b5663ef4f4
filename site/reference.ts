/**
 * Reference pages from the doc comments: a page for each entry of `deno.json`, with signatures from the source.
 *
 * @module
 */
import project from "../deno.json" with { type: "json" };
import { escapeHtml } from "../src/show/text/html.ts";
import type { Markdown, Page, SymbolAddresses } from "./pages.ts";

const ROOT = new URL("../", import.meta.url);

/** A doc comment, as `deno doc --json` has it. */
interface Comment {
  readonly doc?: string;
  readonly tags?: readonly {
    readonly kind: string;
    readonly name?: string;
    readonly doc?: string;
    readonly tsType?: { readonly repr: string };
  }[];
}

/** A member of a type or class. */
interface Member {
  readonly name: string;
  readonly jsDoc?: Comment;
  readonly location: Location;
  readonly accessibility?: string | null;
}

interface Location {
  readonly filename: string;
  readonly line: number;
  readonly col: number;
}

interface Declaration {
  readonly kind: string;
  readonly location: Location;
  readonly jsDoc?: Comment;
  readonly def: {
    readonly constructors?: readonly Member[];
    readonly properties?: readonly Member[];
    readonly methods?: readonly Member[];
  };
}

interface Entry {
  readonly module_doc?: Comment;
  readonly symbols: readonly {
    readonly name: string;
    readonly declarations: readonly Declaration[];
  }[];
}

/** Exports of each entry. */
export type Documentation = ReadonlyMap<string, Entry>;

/** Reads the doc comments of all entries, by import name. */
export async function readDocumentation(): Promise<Documentation> {
  const entries = Object.entries(project.exports);
  const { stdout, stderr, success } = await new Deno.Command("deno", {
    args: ["doc", "--json", ...entries.map(([, file]) => file)],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(`Cannot read doc comments: ${new TextDecoder().decode(stderr)}`);
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout));
  return new Map(
    entries.map(([key, file]) => [project.name + key.slice(1), nodes[new URL(file, ROOT).href]]),
  );
}

/** Path of the page of an entry. */
function pathOfEntry(name: string): string {
  const [, , part = "mod"] = name.split("/");
  return `api/${part}.html`;
}

/** Lists the addresses of documented names; the main entry takes precedence. */
export function listAddresses(documentation: Documentation): SymbolAddresses {
  return new Map(
    [...documentation].reverse().flatMap(([entry, { symbols }]) =>
      symbols.map(({ name }) => [name, `${pathOfEntry(entry)}#${name}`] as const)
    ),
  );
}

/** Cuts a declaration out of a source, up to its body, value or end, whichever is first. */
export function cutSignature(
  source: string,
  { line, col }: Pick<Location, "line" | "col">,
): string {
  const text = source.split("\n").slice(line).join("\n").slice(col);
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const before = text.slice(0, i).trimEnd().slice(-1);
    if ("([<{".includes(text[i])) {
      // A brace after a name or a bracket begins a body; after `:`, `|`, `&` or `=` it begins a type.
      if (text[i] === "{" && depth === 0 && !/[:|&=<,]/.test(before)) {
        return text.slice(0, i).trim();
      }
      depth++;
    } else if (")]}".includes(text[i]) || text[i] === ">" && before !== "=") depth--;
    else if (depth === 0 && text[i] === ";") return text.slice(0, i).trim();
    else if (depth === 0 && text.startsWith(" = ", i) && !/^(export )?type\b/.test(text)) {
      return text.slice(0, i).trim();
    }
  }
  return text.trim();
}

/** Writes the reference pages. */
export class Reference {
  readonly #markdown: Markdown;
  readonly #addresses: SymbolAddresses;
  readonly #sources = new Map<string, string>();

  /** @param addresses Addresses of the documented names */
  constructor(markdown: Markdown, addresses: SymbolAddresses) {
    this.#markdown = markdown;
    this.#addresses = addresses;
  }

  /** Writes the page of an entry. */
  page(name: string, { module_doc, symbols }: Entry): Page {
    const path = pathOfEntry(name);
    const sorted = symbols.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
    const parts = sorted.map(({ name, declarations }) =>
      `<section class="symbol"><h2 id="${name}"><code>${name}</code> <span class="kind">${
        declarations[0].kind === "typeAlias" ? "type" : declarations[0].kind
      }</span></h2>\n${declarations.map((each) => this.#declaration(each)).join("\n")}</section>`
    );
    const list = sorted.map(({ name }) => `<a href="#${name}"><code>${name}</code></a>`);
    const about = this.#docs(module_doc).replace(/(<\/?h)3>/g, "$12>")
      .replace(/(?<!>)<code>(\w+)<\/code>/g, (code, name) => {
        const address = this.#addresses.get(name);
        return address ? `<a href="/${address}">${code}</a>` : code;
      });
    const html = `<section class="text"><h1>${name}</h1>\n${about}
<h2 id="all-names">All names</h2>\n<p>${list.join(" ")}</p>\n${parts.join("\n")}</section>`;
    return { source: path, path, title: name, html };
  }

  #declaration({ kind, location, jsDoc, def }: Declaration): string {
    if (!location.filename.startsWith(ROOT.href)) {
      return kind === "class"
        ? "<p>The data frame of nodejs-polars, unchanged.</p>"
        : kind === "namespace"
        ? "<p>All of nodejs-polars, unchanged.</p>"
        : "";
    }
    const members = [def.constructors, def.properties, def.methods].flatMap((all) => all ?? [])
      .filter(({ accessibility, name }) => accessibility !== "private" && !name.startsWith("["))
      .map((member) =>
        `<dt>${this.#signature(member.location, "code")}</dt><dd>${this.#docs(member.jsDoc)}</dd>`
      );
    return `${this.#signature(location, "pre")}\n${this.#docs(jsDoc)}${
      members.length > 0 ? `<dl>${members.join("\n")}</dl>` : ""
    }`;
  }

  /** A signature as code, with links from type names to their documentation. */
  #signature(location: Location, element: "code" | "pre"): string {
    const { filename } = location;
    const source = this.#sources.get(filename) ?? Deno.readTextFileSync(new URL(filename));
    this.#sources.set(filename, source);
    const text = escapeHtml(cutSignature(source, location).replace(/^export /, ""));
    const linked = text.replace(/\b[A-Z]\w+\b/g, (name) => {
      const address = this.#addresses.get(name);
      return address ? `<a href="/${address}">${name}</a>` : name;
    });
    return element === "pre"
      ? `<pre class="code"><code>${linked}</code></pre>`
      : `<code>${linked}</code>`;
  }

  /** A comment with its tags: parameters, result, errors, examples. */
  #docs({ doc = "", tags = [] }: Comment = {}): string {
    const render = (text = "") =>
      this.#markdown.render(text).replace(/<h(\d)( id="[^"]*")?>/g, "<h$1>");
    const ofKind = (kind: string) => tags.filter((tag) => tag.kind === kind);
    const list = (title: string, rows: string[]) =>
      rows.length > 0 ? `<p><b>${title}</b></p><dl>${rows.join("\n")}</dl>` : "";
    return [
      render(doc),
      list(
        "Parameters",
        ofKind("param").map(({ name, doc }) =>
          `<dt><code>${name}</code></dt><dd>${render(doc)}</dd>`
        ),
      ),
      ...ofKind("return").map(({ doc }) => `<p><b>Returns</b></p>${render(doc)}`),
      ...ofKind("default").map(({ doc }) =>
        `<p>Default: <code>${escapeHtml(doc ?? "")}</code></p>`
      ),
      list(
        "Throws",
        ofKind("throws").map(({ tsType, doc }) =>
          `<dt>${render(`\`${tsType?.repr ?? "Error"}\``)}</dt><dd>${render(doc)}</dd>`
        ),
      ),
      ...ofKind("example").map(({ doc }) => `<p><b>Example</b></p>${render(doc)}`),
    ].join("");
  }
}
