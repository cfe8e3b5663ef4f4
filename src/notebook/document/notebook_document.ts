import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";

/** Sorts the keys of all objects in a JSON value, as Jupyter does: equal values give equal texts. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}

/** A cell of a notebook. */
export interface Cell {
  /** Only code has outputs; raw text is shown unchanged. */
  readonly cell_type: "code" | "markdown" | "raw";
  /** Identifier, unique in the notebook. */
  readonly id: string;
  /** Properties that Jupyter stores, such as `tags`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The code, or the text in Markdown. */
  readonly source: string;
  /** Outputs in order; empty for text. */
  readonly outputs: readonly Output[];
  /** Position in the order of execution, from 1; `null` for text and for code that has not run. */
  readonly executionCount: number | null;
  /** Pictures in a text, by name, as MIME bundles. */
  readonly attachments?: Readonly<Record<string, unknown>>;
}

/** A notebook, format 4. */
export interface NotebookDocument {
  /** Cells in order. */
  readonly cells: readonly Cell[];
  /** Properties that Jupyter stores, such as `kernelspec`. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Multi-line texts are lists of lines in the file. */
type Lines = string | readonly string[];

interface FileCell {
  cell_type?: unknown;
  id?: unknown;
  metadata?: Record<string, unknown>;
  source?: Lines;
  outputs?: readonly Record<string, unknown>[];
  execution_count?: number | null;
  attachments?: Record<string, unknown>;
}

function joinLines(lines: unknown): string {
  return Array.isArray(lines) ? lines.join("") : String(lines ?? "");
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Adds the line end that `deno fmt --check` requires in Markdown but `deno fmt` does not write. */
function endWithLineFeed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Whether the values of a MIME type are texts; others are JSON. */
function isText(type: string): boolean {
  return !/[/+]json$/.test(type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has the properties of an output that this module uses. */
function isOutput(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { output_type, data } = value;
  const isBundle = output_type === "display_data" || output_type === "execute_result";
  return output_type === "stream" || output_type === "error" || isBundle && isRecord(data);
}

function readOutput(output: Record<string, unknown>): Output {
  if (output.output_type === "stream") return { ...output, text: joinLines(output.text) } as Output;
  if (output.data === undefined) return output as unknown as Output;
  const data = Object.fromEntries(
    Object.entries(output.data as Record<string, unknown>)
      .map(([type, value]) => [type, isText(type) ? joinLines(value) : value]),
  );
  return { ...output, data } as Output;
}

function writeOutput(output: Output): unknown {
  if (output.output_type === "stream") {
    return { name: output.name, output_type: output.output_type, text: splitLines(output.text) };
  }
  if (output.output_type === "error") return output;
  const data = Object.fromEntries(
    Object.entries(output.data).map(([type, value]) => [
      type,
      isText(type) && typeof value === "string" && !type.startsWith("image/png")
        ? splitLines(value)
        : value,
    ]),
  );
  return { ...output, data };
}

/** Chooses a unique identifier: copied cells may share one, and cells of older formats have none. */
function chooseId(ids: Set<string>, wanted: string): string {
  let id = wanted;
  for (let i = 2; ids.has(id); i++) id = `${wanted}-${i}`;
  ids.add(id);
  return id;
}

/**
 * Reads a notebook.
 *
 * @param text Content of the file
 * @param path Its path, for messages
 * @throws {DataFormatError} If it is not a notebook of format 4
 */
export function readNotebook(text: string, path: string): NotebookDocument {
  let content: {
    nbformat?: unknown;
    cells?: readonly FileCell[];
    metadata?: Record<string, unknown>;
  };
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new DataFormatError(
      `Cannot read ${path}: it is not valid JSON (${
        (cause as Error).message
      }). Restore a copy of the notebook`,
      { cause },
    );
  }
  if (content?.nbformat !== 4 || !Array.isArray(content.cells)) {
    throw new DataFormatError(`Cannot read ${path}: it is not a notebook of format 4`, {
      hint: "Open it in JupyterLab and save it",
    });
  }
  const ids = new Set<string>();
  const cells = content.cells.map((cell: FileCell, i: number): Cell => {
    const kind = isRecord(cell) ? cell.cell_type : undefined;
    if (kind !== "code" && kind !== "markdown" && kind !== "raw") {
      throw new DataFormatError(
        `Cannot read ${path}: cell ${
          i + 1
        } has the unknown cell_type "${kind}". Give "code", "markdown" or "raw"`,
      );
    }
    const outputs = cell.outputs ?? [];
    if (!Array.isArray(outputs) || !outputs.every(isOutput)) {
      throw new DataFormatError(
        `Cannot read ${path}: the outputs of cell ${i + 1} do not have Jupyter's format`,
        {
          hint: "Clear them in JupyterLab and save the notebook",
        },
      );
    }
    return {
      cell_type: kind,
      id: chooseId(ids, typeof cell.id === "string" ? cell.id : `cell-${i + 1}`),
      metadata: cell.metadata ?? {},
      source: joinLines(cell.source),
      outputs: outputs.map(readOutput),
      executionCount: cell.execution_count ?? null,
      ...(cell.attachments ? { attachments: cell.attachments } : {}),
    };
  });
  return { cells, metadata: content.metadata ?? {} };
}

/**
 * Reads a notebook from a file.
 *
 * @throws {ArgumentError} If the file cannot be read
 * @throws {DataFormatError} If it is not a notebook of format 4
 */
export async function readNotebookFile(path: string): Promise<NotebookDocument> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    throw new ArgumentError(
      `Cannot read ${path}: ${
        (cause as Error).message
      }. Check that the path is correct, and that your user may read the file`,
      { cause },
    );
  }
  return readNotebook(text, path);
}

/**
 * Writes a notebook as the text of its file, as Jupyter does: with sorted keys, so equal notebooks give equal files.
 */
export function writeNotebook(notebook: NotebookDocument): string {
  const cells = notebook.cells.map((cell) => {
    const { cell_type, id, metadata, attachments, executionCount } = cell;
    const source = splitLines(
      cell_type === "markdown" ? endWithLineFeed(cell.source) : cell.source,
    );
    if (cell_type !== "code") return { attachments, cell_type, id, metadata, source };
    const outputs = cell.outputs.map(writeOutput);
    return { cell_type, execution_count: executionCount, id, metadata, outputs, source };
  });
  const { metadata } = notebook;
  const file = { cells, metadata, nbformat: 4, nbformat_minor: 5 };
  return JSON.stringify(sortKeys(file), null, 1) + "\n";
}

/** Tags of a cell; anything but a list in the metadata is ignored. */
export function tagsOf(cell: Cell): readonly string[] {
  const { tags } = cell.metadata;
  return Array.isArray(tags) ? tags.map(String) : [];
}

/** One output in several formats, by MIME type. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** An output of a cell as notebooks store it (nbformat 4). */
export type Output =
  | { readonly output_type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
    readonly output_type: "display_data" | "execute_result";
    readonly data: MimeBundle;
    readonly metadata: Content;
    /** For a result, its position among the executed cells. */
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

/** Collects the outputs of one cell in order; an updated picture keeps its position. */
export class CellOutputs {
  /** Outputs so far. */
  readonly outputs: Output[] = [];
  /** Display identifiers by position; missing for outputs that cannot be updated. */
  readonly #ids: (string | undefined)[] = [];
  readonly #all: CellOutputs[];
  #clearAtNext = false;

  /** @param all Cells so far, whose pictures this cell may update; it adds itself to the list */
  constructor(all: CellOutputs[] = []) {
    this.#all = all;
    all.push(this);
  }

  /**
   * Takes a message of the kernel, and ignores messages that are not about outputs.
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

  /** Joins consecutive texts of one stream into one output. */
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
    const updated = readBundle(content);
    for (const cell of this.#all) {
      for (const [i, old] of cell.outputs.entries()) {
        if (cell.#ids[i] === id && "data" in old) cell.outputs[i] = { ...old, ...updated };
      }
    }
  }
}
