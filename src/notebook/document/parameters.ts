import { ArgumentError } from "../../api/errors.ts";
import { type Cell, type NotebookDocument, tagsOf } from "./notebook_document.ts";

/** Tag of the cell that declares parameters with their defaults. */
const PARAMETERS = "parameters";

/** Tag of the cell with the values of one run. */
export const INJECTED = "injected-parameters";

/** A parameter of a notebook: `let name = default;` at the beginning of a line. */
const DECLARATION =
  /^(const|let|var)[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)[^=\n]*=[ \t]*(["'`])?/gmu;

/** Values of parameters by name; a text from a command line is parsed as JSON unless the default is a text. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Parses a text as JSON unless the default of the parameter is a text. */
function parseValue(name: string, value: unknown, isText: boolean): unknown {
  if (typeof value !== "string" || isText) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new ArgumentError(
      `Cannot set the parameter ${name} to ${
        JSON.stringify(value)
      }: its default is not a string, so the value must be JSON`,
      { hint: "Give a value in JSON, such as a number, true, null or a list" },
    );
  }
}

/** Writes a value as code. Numbers are not written as JSON, which turns NaN into null. */
function formatCode(name: string, value: unknown): string {
  if (typeof value === "number" || value === undefined) return String(value);
  const json = typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
  if (json !== undefined) return json;
  throw new ArgumentError(
    `Cannot set the parameter ${name}: JSON cannot represent a ${typeof value}. Give a text, a number, true, false, null, a list or an object`,
  );
}

/**
 * Sets the parameters of a notebook: inserts a cell with their values after the cell tagged `parameters`, which declares
 * them, and removes the inserted cell of an earlier run.
 *
 * @throws {ArgumentError} If a parameter is not declared, or a value is not data
 */
export function insertParameters(
  notebook: NotebookDocument,
  values: Parameters,
  path: string,
): NotebookDocument {
  const cells = notebook.cells.filter((cell) => !tagsOf(cell).includes(INJECTED));
  const names = Object.keys(values);
  if (names.length === 0) return { ...notebook, cells };
  const place = cells.findIndex((cell) =>
    cell.cell_type === "code" && tagsOf(cell).includes(PARAMETERS)
  );
  const declared = new Map(
    [...(cells[place]?.source ?? "").matchAll(DECLARATION)].map(([, kind, name, quote]) => [
      name,
      { kind, isText: quote !== undefined },
    ]),
  );
  const unknown = names.filter((name) => !declared.has(name));
  if (unknown.length > 0) {
    throw new ArgumentError(
      `Cannot set ${unknown.map((name) => `"${name}"`).join(", ")} in ${path}: ` +
        (place < 0
          ? `the notebook has no cell with the tag "${PARAMETERS}"`
          : `the tagged cell declares ${[...declared.keys()].join(", ") || "none"}`),
      { hint: "Declare parameters as `let name = default;` in the tagged cell" },
    );
  }
  const lines = names.map((name) => {
    const { kind, isText } = declared.get(name)!;
    const value = parseValue(name, values[name], isText);
    return `${kind} ${name} = ${formatCode(name, value)};`;
  });
  const injected: Cell = {
    cell_type: "code",
    id: INJECTED,
    metadata: { tags: [INJECTED] },
    source: lines.join("\n"),
    outputs: [],
    executionCount: null,
  };
  return { ...notebook, cells: cells.toSpliced(place + 1, 0, injected) };
}
