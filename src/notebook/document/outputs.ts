import type { Content, KernelMessage } from "../wire/kernel_message.ts";

/** One output in several formats, by MIME type. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** An output of a cell as notebooks store it (nbformat 4). */
export type Output =
  | { readonly output_type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
    readonly output_type: "display_data" | "execute_result";
    readonly data: MimeBundle;
    readonly metadata: Content;
    /** Of a result its position among the cells that have run. */
    readonly execution_count?: number | null;
  }
  | {
    readonly output_type: "error";
    readonly ename: string;
    readonly evalue: string;
    readonly traceback: readonly string[];
  };

// deno-lint-ignore no-control-regex -- terminal sequences begin with one
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Removes colours and other terminal sequences. */
function removeAnsi(text: unknown): string {
  return String(text ?? "").replaceAll(ANSI, "");
}

function readBundle({ data, metadata }: Content): { data: MimeBundle; metadata: Content } {
  const clean = Object.entries(data as MimeBundle).map(([type, value]) => [
    type,
    type === "text/plain" && typeof value === "string" ? removeAnsi(value) : value,
  ]);
  return { data: Object.fromEntries(clean), metadata: metadata as Content ?? {} };
}

function readDisplayId(content: Content): string | undefined {
  return (content.transient as { display_id?: string } | undefined)?.display_id;
}

/** Collects the outputs of one cell in order; an update of a picture replaces it in its position. */
export class CellOutputs {
  /** Outputs so far. */
  readonly outputs: Output[] = [];
  /** Display identifiers by position; missing for outputs that cannot be updated. */
  readonly #ids: (string | undefined)[] = [];
  readonly #all: CellOutputs[];
  #clearAtNext = false;

  /** @param all Cells of the notebook so far, whose pictures this one may update; this one is added to the list */
  constructor(all: CellOutputs[] = []) {
    this.#all = all;
    all.push(this);
  }

  /**
   * Takes a message of the kernel; one that is not about outputs is ignored.
   */
  take({ type, content }: KernelMessage): void {
    switch (type) {
      case "stream":
        return this.#addText(
          content.name === "stderr" ? "stderr" : "stdout",
          removeAnsi(content.text),
        );
      case "display_data":
      case "execute_result":
        return this.#add({ output_type: type, ...readBundle(content) }, readDisplayId(content));
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

  /** Consecutive texts of one stream are joined into one output. */
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
    const shown = readBundle(content);
    for (const cell of this.#all) {
      for (const [i, old] of cell.outputs.entries()) {
        if (cell.#ids[i] === id && "data" in old) cell.outputs[i] = { ...old, ...shown };
      }
    }
  }
}
