import { finishedCell } from "./final_outputs.ts";
import type { Cell, NotebookDocument } from "./notebook_document.ts";
import type { Output } from "./outputs.ts";
import { sorted } from "./sorted.ts";
import { withoutFetchStamps } from "./stamps.ts";

/** A cell whose outputs in the file are not those of a run. */
export interface OutputDifference {
  /** Number of the cell among all, from 1. */
  readonly position: number;
  /** What differs: how many outputs there are, or which one and in which format. */
  readonly what: string;
  /** The first line that differs, in the file; `undefined` where there is none. */
  readonly kept: string | undefined;
  /** The same line in the run. */
  readonly found: string | undefined;
}

/** An output as texts by format, as they are compared. */
function textsOf(output: Output): Record<string, string> {
  const texts = output.output_type === "stream"
    ? { [output.name]: output.text }
    : output.output_type === "error"
    ? { error: `${output.ename}: ${output.evalue}` }
    : Object.fromEntries(
      Object.entries(output.data).map(([type, value]) => [
        type,
        typeof value === "string" ? value : JSON.stringify(sorted(value), null, 1),
      ]),
    );
  return Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [type, withoutFetchStamps(text)]),
  );
}

/** Characters of a line that are shown before its first difference, and in all. */
const [BEFORE, SHOWN] = [30, 120];

/** Two lines around their first difference. */
function around(kept: string, found: string): [string, string] {
  let i = 0;
  while (i < kept.length && kept[i] === found[i]) i++;
  const start = Math.max(0, i - BEFORE);
  const part = (line: string) =>
    (start > 0 ? "…" : "") + line.slice(start, start + SHOWN) +
    (line.length > start + SHOWN ? "…" : "");
  return [part(kept), part(found)];
}

function differenceOfTexts(kept: string, found: string): { kept?: string; found?: string } {
  const [keptLines, foundLines] = [kept.split("\n"), found.split("\n")];
  const i = keptLines.findIndex((line, i) => line !== foundLines[i]);
  if (i < 0) return { found: foundLines[keptLines.length].slice(0, SHOWN) };
  if (i >= foundLines.length) return { kept: keptLines[i].slice(0, SHOWN) };
  const [keptPart, foundPart] = around(keptLines[i], foundLines[i]);
  return { kept: keptPart, found: foundPart };
}

/** The first difference of two outputs, or `undefined` where there is none. */
function differenceOfOutputs(
  kept: Output,
  found: Output,
): { what: string; kept: string | undefined; found: string | undefined } | undefined {
  if (kept.output_type !== found.output_type) {
    return { what: "kind", kept: kept.output_type, found: found.output_type };
  }
  const [keptTexts, foundTexts] = [textsOf(kept), textsOf(found)];
  for (const type of new Set([...Object.keys(keptTexts), ...Object.keys(foundTexts)])) {
    const [a, b] = [keptTexts[type], foundTexts[type]];
    if (a === b) continue;
    const lines = a === undefined || b === undefined
      ? { kept: a?.slice(0, SHOWN), found: b?.slice(0, SHOWN) }
      : differenceOfTexts(a, b);
    return { what: type, kept: lines.kept, found: lines.found };
  }
  return undefined;
}

/** The outputs of a cell of the file, without what a run would not keep. */
function keptOutputs(cell: Cell): readonly Output[] {
  return finishedCell(cell, cell.outputs, 0).outputs;
}

/**
 * Compares the outputs in a file with those of a run of it; when figures were fetched does not count.
 *
 * @param kept The notebook as it stands in the file
 * @param found The same notebook, run
 * @returns One difference for each cell that has any
 */
export function compareOutputs(
  kept: NotebookDocument,
  found: NotebookDocument,
): OutputDifference[] {
  return kept.cells.flatMap((cell, i): OutputDifference[] => {
    if (cell.cell_type !== "code") return [];
    const position = i + 1;
    const [before, after] = [keptOutputs(cell), keptOutputs(found.cells[i])];
    for (const [k, output] of before.entries()) {
      const difference = after[k] && differenceOfOutputs(output, after[k]);
      if (difference) {
        return [{ ...difference, position, what: `output ${k + 1}, ${difference.what}` }];
      }
    }
    if (before.length === after.length) return [];
    const said = (outputs: readonly Output[]) =>
      outputs.map(({ output_type }) => output_type).join(", ") || "none";
    return [{ position, what: "number of outputs", kept: said(before), found: said(after) }];
  });
}

/** A difference as text. */
export function differenceText({ position, what, kept, found }: OutputDifference): string {
  const lines = [
    ...(kept === undefined ? [] : [`    in the file: ${kept}`]),
    ...(found === undefined ? [] : [`    in the run:  ${found}`]),
  ];
  return [`cell ${position}: ${what} differs`, ...lines].join("\n");
}

/**
 * The notebook of a run, with every output that is the same as in the file as it stands there: so a run that brings
 * nothing new changes nothing.
 *
 * @param kept The notebook as it stands in the file
 * @param found The same notebook, run
 */
export function withKeptOutputs(
  kept: NotebookDocument,
  found: NotebookDocument,
): NotebookDocument {
  const cells = found.cells.map((cell, i): Cell => {
    if (cell.cell_type !== "code") return cell;
    const before = kept.cells[i].outputs;
    const outputs = cell.outputs.map((output, k) =>
      before.length === cell.outputs.length && !differenceOfOutputs(before[k], output) &&
        !("data" in before[k] && "image/png" in before[k].data)
        ? withCount(before[k], cell.executionCount)
        : output
    );
    return { ...cell, outputs };
  });
  return { ...found, cells };
}

function withCount(output: Output, execution_count: number | null): Output {
  return output.output_type === "execute_result" ? { ...output, execution_count } : output;
}
