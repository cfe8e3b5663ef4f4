/**
 * The parts of `deno doc --json` of the whole source that the tests of the surface read.
 *
 * @module
 */

// deno-lint-ignore no-explicit-any -- Deno's tree, with another shape for each kind of node
type Node = any;

interface File {
  readonly module_doc?: { readonly doc: string };
  readonly symbols: readonly { readonly name: string; readonly declarations: readonly Node[] }[];
}

const ROOT = new URL("../../", import.meta.url);

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    return isDirectory ? sourcesBelow(`${path}/`) : name.endsWith(".ts") ? [path] : [];
  });
}

/** Words of a doc comment. */
const wordsOf = ({ jsDoc = {} }: Node): string =>
  [jsDoc.doc, ...(jsDoc.tags ?? []).map(({ doc }: Node) => doc)].join("\n");

/** The documentation of the source. */
export class Documentation {
  readonly #files: Readonly<Record<string, File>>;

  private constructor(files: Readonly<Record<string, File>>) {
    this.#files = files;
  }

  /** Reads it, in one run of Deno. */
  static async read(): Promise<Documentation> {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["doc", "--json", "mod.ts", "types.ts", ...sourcesBelow("src/")],
      cwd: ROOT,
      stderr: "null",
    }).output();
    return new Documentation(JSON.parse(new TextDecoder().decode(stdout)).nodes);
  }

  #file(path: string): File {
    return this.#files[new URL(path, ROOT).href];
  }

  /** Names that a file exports, a type and a value of one name once. */
  names(path: string): string[] {
    return this.#file(path).symbols.map(({ name }) => name);
  }

  /** Module documentation of a file. */
  words(path: string): string {
    return this.#file(path).module_doc?.doc ?? "";
  }

  /** Names of functions and classes that a file exports. */
  functions(path: string): string[] {
    return this.names(path).filter((name) =>
      this.#find(path, name).some(({ kind }) => kind === "function" || kind === "class")
    );
  }

  /** Declarations of a name, wherever they are. */
  #find(path: string, name: string): Node[] {
    const match = this.#file(path)?.symbols.find((symbol) => symbol.name === name);
    return (match?.declarations ?? []).flatMap((declaration) =>
      declaration.kind === "reference"
        ? this.#find(declaration.def.target.filename, name)
        : declaration
    );
  }

  /**
   * Lists fields that a reader of an entry cannot look up: fields in a signature or a type of the entry whose type no entry
   * exports, and which its documentation does not name.
   *
   * @param exported Names of all entries
   */
  unnamedFields(path: string, exported: ReadonlySet<string>): string[] {
    /** Fields of a type that is not exported. The signature shows the fields of a literal, unless it is in such a type. */
    const fieldsOf = (type: Node, file: string, hidden = false): string[] => {
      const { kind, value } = type;
      const listed = (types: readonly Node[]) =>
        types.flatMap((one) => fieldsOf(one, file, hidden));
      if (kind === "union" || kind === "intersection") return listed(value);
      if (kind === "typeLiteral" && hidden) return value.properties.map(({ name }: Node) => name);
      if (kind !== "typeRef") return [];
      const { typeName, typeParams = [], resolution } = value;
      if (typeName === "Pick" && !exported.has(typeParams[0].value.typeName)) {
        return [typeParams[1].value].flat().map((one: Node) => one.value?.string ?? one.string);
      }
      if (["Partial", "Omit", "Pick"].includes(typeName)) return listed(typeParams.slice(0, 1));
      if (!resolution || exported.has(typeName)) return [];
      const at = resolution.specifier ? new URL(resolution.specifier, file).href : file;
      const fields = this.#find(at, typeName).flatMap(ownFields);
      return fields.length > 0 ? fields : listed(typeParams);
    };
    const ownFields = ({ kind, def, location }: Node): string[] => {
      if (kind === "typeAlias") return fieldsOf(def.tsType, location.filename, true);
      if (kind !== "interface") return [];
      const { properties = [], extends: bases = [] } = def;
      const inherited = bases.flatMap((type: Node) => fieldsOf(type, location.filename, true));
      return [...properties.map(({ name }: Node) => name), ...inherited];
    };
    return this.names(path).flatMap((name) => {
      const declarations = this.#find(path, name);
      const documented = declarations.map(wordsOf).join("\n");
      return declarations.flatMap(({ kind, def, location }) => {
        const parts: Node[] = kind === "function"
          ? def.params.map((param: Node) => param.left ?? param)
          : kind === "interface"
          ? [
            ...(def.extends ?? []).map((tsType: Node) => ({ tsType })),
            ...(def.properties ?? []),
          ]
          : kind === "typeAlias"
          ? [def]
          : [];
        return parts.flatMap((part) =>
          fieldsOf(part.tsType, location.filename)
            .filter((field) => !new RegExp(`\\b${field}\\b`).test(documented + wordsOf(part)))
            .map((field) => `${name}: ${field}`)
        );
      });
    });
  }
}
