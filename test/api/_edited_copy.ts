/**
 * A copy of the sources in which a test makes edits, to see what the type check and the tests make of them.
 *
 * @module
 */
import { assert } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What of the tree is copied. */
const COPIED = ["deno.json", "deno.lock", "mod.ts", "src", "test"];

/** One edit: a text of a file that becomes another. */
export interface Edit {
  /** Path of the file, from the root. */
  readonly file: string;
  /** Text that is there once. */
  readonly from: string;
  readonly to: string;
}

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

/** A copy of the sources. */
export class EditedCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a copy in a temporary folder. */
  static async make(): Promise<EditedCopy> {
    const folder = await Deno.makeTempDir();
    for (const name of COPIED) await copy(ROOT + name, `${folder}/${name}`);
    return new EditedCopy(folder);
  }

  /** Runs Deno in the copy with some edits, which are taken back afterwards. */
  async run(
    args: readonly string[],
    edits: readonly Edit[] = [],
  ): Promise<{ success: boolean; output: string }> {
    const before = new Map<string, string>();
    try {
      for (const { file, from, to } of edits) {
        const path = `${this.#folder}/${file}`;
        const text = await Deno.readTextFile(path);
        assert(text.split(from).length === 2, `${file} does not have this text once: ${from}`);
        if (!before.has(path)) before.set(path, text);
        await Deno.writeTextFile(path, text.replace(from, () => to));
      }
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [...args],
        cwd: this.#folder,
        env: { NO_COLOR: "1" },
        stdout: "piped",
        stderr: "piped",
      }).output();
      return {
        success,
        output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr),
      };
    } finally {
      for (const [path, text] of before) await Deno.writeTextFile(path, text);
    }
  }

  /** Removes the copy. */
  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}
