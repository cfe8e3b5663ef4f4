import type { Cell } from "./notebook_document.ts";
import type { MimeBundle, Output } from "./outputs.ts";

/** Removes the PNG where the bundle has an SVG too: its pixels depend on the fonts of the machine. */
function removePixels(data: MimeBundle): MimeBundle {
  if (!("image/svg+xml" in data)) return data;
  const { "image/png": _, ...rest } = data;
  return rest;
}

/** Whether an output shows nothing, such as a progress bar at its end. */
function isEmpty(output: Output): boolean {
  if (output.output_type === "stream") return output.text === "";
  return "data" in output && Object.values(output.data).every((value) => value === "");
}

/**
 * Adds the outputs of a run to a cell, without those that are empty or depend on the machine: the same run gives the same
 * file.
 *
 * @param executionCount Its position among the cells that have run, from 1
 */
export function finishCell(
  cell: Cell,
  outputs: readonly Output[],
  executionCount: number,
): Cell {
  const stored = outputs.filter((output) => !isEmpty(output)).map((output): Output => {
    if (!("data" in output)) return output;
    const data = removePixels(output.data);
    return output.output_type === "execute_result"
      ? { ...output, data, execution_count: executionCount }
      : { ...output, data };
  });
  return { ...cell, outputs: stored, executionCount };
}

/** Removes outputs and execution count, as of a cell that has not run. */
export function clearCell(cell: Cell): Cell {
  return cell.cell_type === "code" ? { ...cell, outputs: [], executionCount: null } : cell;
}
