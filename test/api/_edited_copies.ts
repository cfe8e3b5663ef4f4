/**
 * Edited copies of the sources, to see whether the type check and the tests notice the edits.
 *
 * @module
 */
import { assert } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Files copied once, because the copies import them by name. */
const SHARED = ["deno.json", "deno.lock", "mod.ts", "src", "test"];

/** Last line of a message of the compiler: file, line and column. */
const PLACE = /^ {4}at file:\/\/(\S+):\d+:\d+$/;

/** One edit: a text of a file that becomes another. */
export interface Edit {
  /** Path of the file, from the root. */
  readonly file: string;
  /** Text that occurs once. */
  readonly from: string;
  readonly to: string;
}

/** A copy of a folder with edits. */
export interface EditedCopy {
  /** The folder, from the root, with everything that its files import by a path. */
  readonly folder: string;
  /** The file whose types are checked, from the root. */
  readonly entry: string;
  readonly edits: readonly Edit[];
}

/** A message of the compiler about a file. */
export interface TypeFault {
  /** Path of the file, from the root. */
  readonly file: string;
  /** The message, with its code. */
  readonly message: string;
}

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

async function edit(root: string, edits: readonly Edit[]): Promise<void> {
  for (const { file, from, to } of edits) {
    const path = `${root}/${file}`;
    const text = await Deno.readTextFile(path);
    assert(text.split(from).length === 2, `${file} does not have this text once: ${from}`);
    await Deno.writeTextFile(path, text.replace(from, () => to));
  }
}

/** Runs Deno in a folder, and returns its output. */
async function runDeno(cwd: string, args: readonly string[]) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, output: out + err };
}

/** Copies of the sources, each with its own edits. */
export class EditedCopies {
  readonly #root: string;
  readonly #copies: readonly EditedCopy[];

  private constructor(root: string, copies: readonly EditedCopy[]) {
    this.#root = root;
    this.#copies = copies;
  }

  /** Makes them in a temporary folder. */
  static async make(copies: readonly EditedCopy[]): Promise<EditedCopies> {
    const root = await Deno.realPath(await Deno.makeTempDir());
    for (const name of SHARED) await copy(ROOT + name, `${root}/${name}`);
    for (const [i, { folder, edits }] of copies.entries()) {
      await copy(ROOT + folder, `${root}/${i}/${folder}`);
      await edit(`${root}/${i}`, edits);
    }
    return new EditedCopies(root, copies);
  }

  /** Checks the types of all copies in one run of the compiler, and returns the faults of each. */
  async check(): Promise<TypeFault[][]> {
    const entries = this.#copies.map(({ entry }, i) => `${i}/${entry}`);
    const { success, output } = await runDeno(this.#root, ["check", "--quiet", ...entries]);
    const faults = this.#copies.map((): TypeFault[] => []);
    let lines: string[] = [];
    for (const line of output.split("\n")) {
      const path = PLACE.exec(line)?.[1];
      if (path === undefined) lines = line === "" ? [] : [...lines, line];
      else {
        const place = /^\/(\d+)\/(.*)/.exec(path.slice(this.#root.length));
        assert(place, `it is not in a copy: ${output}`);
        faults[Number(place[1])].push({ file: place[2], message: lines.join("\n") });
      }
    }
    assert(success === faults.every(({ length }) => length === 0), output);
    return faults;
  }

  /** Runs a test with edits of the whole tree. */
  async test(file: string, edits: readonly Edit[]): Promise<{ success: boolean; output: string }> {
    await edit(this.#root, edits);
    return await runDeno(this.#root, ["test", "--no-check", "-A", file]);
  }

  /** Removes the copies. */
  async remove(): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }
}
