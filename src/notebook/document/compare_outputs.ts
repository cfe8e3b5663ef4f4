import {
  type Cell,
  type MimeBundle,
  type NotebookDocument,
  type Output,
  sortKeys,
} from "./notebook_document.ts";
import { SYNTHETIC } from "../../api/world.ts";

/** Removes the PNG if the bundle has an SVG too: its pixels depend on the machine's fonts. */
function removePixels(data: MimeBundle): MimeBundle {
  if (!("image/svg+xml" in data)) return data;
  const { "image/png": _, ...rest } = data;
  return rest;
}

/** Whether an output is empty, such as a progress bar after its end. */
function isEmpty(output: Output): boolean {
  if (output.output_type === "stream") return output.text === "";
  return "data" in output && Object.values(output.data).every((value) => value === "");
}

/**
 * Adds the outputs of a run to a cell, except outputs that are empty or depend on the machine, so equal runs give equal
 * files.
 *
 * @param executionCount Its position among the executed cells, from 1
 */
export function finishCell(
  cell: Cell,
  outputs: readonly Output[],
  executionCount: number,
): Cell {
  const stored = outputs.filter((output) => !isEmpty(output)).map((output): Output => {
    if (!("data" in output)) return output;
    return { ...setCount(output, executionCount), data: removePixels(output.data) } as Output;
  });
  return { ...cell, outputs: stored, executionCount };
}

/** Removes outputs and execution count, as in a cell that has not run. */
export function clearCell(cell: Cell): Cell {
  return cell.cell_type === "code" ? { ...cell, outputs: [], executionCount: null } : cell;
}

/** Source line of a table (`frames/origin/provenance.ts`), up to the minute of the request. */
const IN_TABLES = new RegExp(
  String.raw`( from (?:${SYNTHETIC}: the built-in sample, not real data|own data|live service), )` +
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`,
  "g",
);

/** Source line of a chart, up to the day: it may span several lines, with markup or quotes between them. */
const IN_CHARTS = /(Source: (?!not stated)[^]{1,800}?)\b\d{4}-\d\d-\d\d\b(?!T)/g;

/** Time on the card of an order (`client/orders/climate_order.ts`), as text and as HTML. */
const ON_ORDERS = /\b(Sent(?:<\/th><td[^>]*>| +))\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** Identifiers of orders on their cards; a service gives a new one to each. */
const ORDER_NAMES = /(Climate order |attachOrder\((?:"|&quot;))[^\s<"&]+/g;

/**
 * Masks the times at which figures were fetched or ordered, which differ between two runs on the same data. Only the
 * comparison uses the masked text: a committed notebook shows the true times.
 */
export function maskFetchStamps(text: string): string {
  return text.replaceAll(IN_TABLES, "$1(when fetched)").replaceAll(IN_CHARTS, "$1(when fetched)")
    .replaceAll(ON_ORDERS, "$1(when sent)").replaceAll(ORDER_NAMES, "$1(name)");
}

/** A cell whose outputs differ between the file and a run. */
export interface OutputDifference {
  /** Number of the cell among all, from 1. */
  readonly position: number;
  /** The difference: the numbers of outputs, or the differing output and format. */
  readonly what: string;
  /** The first differing line of the file; `undefined` if the file has fewer lines or outputs. */
  readonly stored: string | undefined;
  /** The same line in the run; `undefined` if the run has fewer. */
  readonly rerun: string | undefined;
}

/** Texts to compare, by format. */
function listTexts(output: Output): Record<string, string> {
  const texts = output.output_type === "stream"
    ? { [output.name]: output.text }
    : output.output_type === "error"
    ? { error: `${output.ename}: ${output.evalue}` }
    : Object.fromEntries(
      Object.entries(output.data).map(([type, value]) => [
        type,
        typeof value === "string" ? value : JSON.stringify(sortKeys(value), null, 1),
      ]),
    );
  return Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [type, maskFetchStamps(text)]),
  );
}

/** Characters shown of a line: before its first difference, and in total. */
const [BEFORE, SHOWN] = [30, 120];

/**
 * Finds the first differing lines, cut to the part around their first difference.
 *
 * @returns One line per text; `undefined` for a text that has fewer lines or is missing
 */
function compareTexts(...texts: readonly (string | undefined)[]): (string | undefined)[] {
  const [stored, rerun] = texts.map((text) => text?.split("\n") ?? []);
  let i = 0;
  while (stored[i] === rerun[i]) i++;
  const [a = "", b = ""] = [stored[i], rerun[i]];
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  const start = Math.max(0, k - BEFORE);
  return [stored[i], rerun[i]].map((line) =>
    line && (start > 0 ? "…" : "") + line.slice(start, start + SHOWN) +
      (line.length > start + SHOWN ? "…" : "")
  );
}

/** Finds the first difference of two outputs; `undefined` if they are equal. */
function compareOutput(
  before: Output,
  after: Output,
): Omit<OutputDifference, "position"> | undefined {
  if (before.output_type !== after.output_type) {
    return { what: "kind", stored: before.output_type, rerun: after.output_type };
  }
  const [beforeTexts, afterTexts] = [listTexts(before), listTexts(after)];
  for (const type of new Set([...Object.keys(beforeTexts), ...Object.keys(afterTexts)])) {
    if (beforeTexts[type] === afterTexts[type]) continue;
    const [stored, rerun] = compareTexts(beforeTexts[type], afterTexts[type]);
    return { what: type, stored, rerun };
  }
  return undefined;
}

/** The outputs of a cell in the file, normalized as after a run. */
function finishOutputs(cell: Cell): readonly Output[] {
  return finishCell(cell, cell.outputs, 0).outputs;
}

/**
 * Compares the outputs in a file with those of a run, ignoring the times at which figures were fetched.
 *
 * @param stored The notebook in the file
 * @param rerun The same notebook after the run
 * @returns One difference per differing cell
 */
export function compareOutputs(
  stored: NotebookDocument,
  rerun: NotebookDocument,
): OutputDifference[] {
  return stored.cells.flatMap((cell, i): OutputDifference[] => {
    if (cell.cell_type !== "code") return [];
    const position = i + 1;
    const [before, after] = [finishOutputs(cell), finishOutputs(rerun.cells[i])];
    for (const [k, output] of before.entries()) {
      const difference = after[k] && compareOutput(output, after[k]);
      if (difference) {
        return [{ ...difference, position, what: `output ${k + 1}, ${difference.what}` }];
      }
    }
    if (before.length === after.length) return [];
    const listTypes = (outputs: readonly Output[]) =>
      outputs.map(({ output_type }) => output_type).join(", ") || "none";
    return [{
      position,
      what: "number of outputs",
      stored: listTypes(before),
      rerun: listTypes(after),
    }];
  });
}

/** Formats a difference as text: the cell, and the line in the file and in the run. */
export function differenceText({ position, what, stored, rerun }: OutputDifference): string {
  const lines = [
    ...(stored === undefined ? [] : [`    in the file: ${stored}`]),
    ...(rerun === undefined ? [] : [`    in the run:  ${rerun}`]),
  ];
  return [`cell ${position}: ${what} differs`, ...lines].join("\n");
}

/**
 * Keeps each unchanged output of the file: a run with the same results leaves the file as it is, including fetch times.
 *
 * @param stored The notebook in the file
 * @param rerun The same notebook after the run
 * @returns The notebook to write
 */
export function withKeptOutputs(
  stored: NotebookDocument,
  rerun: NotebookDocument,
): NotebookDocument {
  const cells = rerun.cells.map((cell, i): Cell => {
    if (cell.cell_type !== "code") return cell;
    const before = stored.cells[i].outputs;
    const outputs = cell.outputs.map((output, k) =>
      before.length === cell.outputs.length && !compareOutput(before[k], output) &&
        !("data" in before[k] && "image/png" in before[k].data)
        ? setCount(before[k], cell.executionCount)
        : output
    );
    return { ...cell, outputs };
  });
  return { ...rerun, cells };
}

function setCount(output: Output, execution_count: number | null): Output {
  return output.output_type === "execute_result" ? { ...output, execution_count } : output;
}
