import type { Cell } from "./notebook_document.ts";
import type { MimeBundle, Output } from "./outputs.ts";

/** A bundle without the picture in pixels where there is one in vectors: pixels depend on the fonts of a machine. */
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
 * A cell as it is kept after its run: the same run gives the same text.
 *
 * @param outputs What it put out
 * @param executionCount Its place among the cells that have run, from 1
 */
export function finishCell(
  cell: Cell,
  outputs: readonly Output[],
  executionCount: number,
): Cell {
  const kept = outputs.filter((output) => !isEmpty(output)).map((output): Output => {
    if (!("data" in output)) return output;
    const data = removePixels(output.data);
    return output.output_type === "execute_result"
      ? { ...output, data, execution_count: executionCount }
      : { ...output, data };
  });
  return { ...cell, outputs: kept, executionCount };
}

/** A cell that has not run. */
export function clearCell(cell: Cell): Cell {
  return cell.cell_type === "code" ? { ...cell, outputs: [], executionCount: null } : cell;
}
