import type { Content, KernelMessage } from "../wire/kernel_message.ts";

/** A MIME bundle as kept in a notebook. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** What a cell put out, as notebooks keep it (nbformat 4). */
export type Output =
  | { readonly output_type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
    readonly output_type: "display_data";
    readonly data: MimeBundle;
    readonly metadata: Content;
  }
  | {
    readonly output_type: "execute_result";
    readonly data: MimeBundle;
    readonly metadata: Content;
    readonly execution_count: number | null;
  }
  | {
    readonly output_type: "error";
    readonly ename: string;
    readonly evalue: string;
    readonly traceback: readonly string[];
  };

// deno-lint-ignore no-control-regex -- terminal sequences begin with one
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** A text without what only a terminal understands. */
function removeAnsi(text: unknown): string {
  return String(text ?? "").replaceAll(ANSI, "");
}

function cleanBundle(data: unknown): MimeBundle {
  return Object.fromEntries(
    Object.entries(data as MimeBundle).map(([type, value]) => [
      type,
      type === "text/plain" && typeof value === "string" ? removeAnsi(value) : value,
    ]),
  );
}

function readDisplayId(content: Content): string | undefined {
  return (content.transient as { display_id?: string } | undefined)?.display_id;
}

/** Gathers what one cell puts out, in order; a picture that is updated changes where it stands. */
export class CellOutputs {
  /** What was put out so far. */
  readonly outputs: Output[] = [];
  /** Identifiers of the pictures among them, at their places. */
  readonly #ids: (string | undefined)[] = [];
  readonly #all: CellOutputs[];
  #clearAtNext = false;

  /** @param all The cells of the notebook so far, whose pictures this one may update; it is added to them */
  constructor(all: CellOutputs[] = []) {
    this.#all = all;
    all.push(this);
  }

  /**
   * Takes a message of the kernel.
   *
   * @param message The message; what is no output is left aside
   */
  take({ type, content }: KernelMessage): void {
    switch (type) {
      case "stream":
        return this.#addText(
          content.name === "stderr" ? "stderr" : "stdout",
          removeAnsi(content.text),
        );
      case "display_data":
        return this.#add({
          output_type: "display_data",
          data: cleanBundle(content.data),
          metadata: content.metadata as Content ?? {},
        }, readDisplayId(content));
      case "execute_result":
        return this.#add({
          output_type: "execute_result",
          data: cleanBundle(content.data),
          metadata: content.metadata as Content ?? {},
          execution_count: null,
        }, readDisplayId(content));
      case "update_display_data":
        return this.#update(content);
      case "error":
        return this.#add({
          output_type: "error",
          ename: removeAnsi(content.ename),
          evalue: removeAnsi(content.evalue),
          traceback: (content.traceback as string[] ?? []).map(removeAnsi),
        });
      case "clear_output":
        this.#clearAtNext = true;
        if (!content.wait) this.#clear();
    }
  }

  #add(output: Output, id?: string): void {
    this.#clear();
    this.#ids[this.outputs.length] = id;
    this.outputs.push(output);
  }

  #clear(): void {
    if (!this.#clearAtNext) return;
    this.#clearAtNext = false;
    this.outputs.length = this.#ids.length = 0;
  }

  /** Texts that follow each other on one stream are one. */
  #addText(name: "stdout" | "stderr", text: string): void {
    this.#clear();
    const last = this.outputs.at(-1);
    if (last?.output_type === "stream" && last.name === name) {
      this.outputs[this.outputs.length - 1] = { ...last, text: last.text + text };
    } else this.#add({ output_type: "stream", name, text });
  }

  #update(content: Content): void {
    const id = readDisplayId(content);
    if (id === undefined) return;
    const data = cleanBundle(content.data);
    const metadata = content.metadata as Content ?? {};
    for (const cell of this.#all) {
      for (const [i, known] of cell.outputs.entries()) {
        if (cell.#ids[i] === id && "data" in known) cell.outputs[i] = { ...known, data, metadata };
      }
    }
  }
}
