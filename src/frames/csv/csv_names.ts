import { shortenText } from "../../show/text/plain_text.ts";
import { type Column, wireName } from "../../api/columns/column.ts";

/** Removes the parts of a name in which files vary: case, spaces, underscores, hyphens. */
function simplifyName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, "");
}

/** A unit in brackets at the end of a name: "Wind speed [m/s]", "Power (kW)". */
const bracketed = /^(.*\S)\s*(?:\[([^\]]*)\]|\(([^)]*)\))$/;

const unitAliases: Readonly<Record<string, string>> = {
  "°": "deg",
  "degrees": "deg",
  "°c": "degc",
  "c": "degc",
  "ms-1": "m/s",
  "kgm-3": "kg/m3",
  "percent": "%",
};

function simplifyUnit(unit: string): string {
  const plain = unit.toLowerCase().replaceAll(/[\s*·^]+/g, "").replaceAll("³", "3")
    .replaceAll("⁻", "-").replaceAll("¹", "1");
  return unitAliases[plain] ?? plain;
}

/** Positions in a header by declared column, or the problem of the header. */
type Binding =
  | { readonly positions: ReadonlyMap<Column, number> }
  | { readonly problem: string };

/** Declarations with the header names that a caller gives, by names in frames. A column with such a name is required. */
export function renameInHeader<Own extends Column>(
  columns: readonly Own[],
  names: Readonly<Record<string, string>>,
): Own[] {
  return columns.map((column) =>
    Object.hasOwn(names, column.name)
      ? { ...column, wire: names[column.name], aliases: undefined, optional: false }
      : column
  );
}

/** The names that a column may have in a header, its own first. */
export function namesInHeader(column: Column): readonly string[] {
  return [wireName(column), ...column.aliases ?? []];
}

/** Finds a unit in brackets that differs from the declared one; `undefined` if there is none. */
export function findOtherUnit(name: string, column: Column): string | undefined {
  if (column.unit === undefined) return undefined;
  const match = bracketed.exec(name);
  const unit = match?.[2] ?? match?.[3];
  return unit === undefined || simplifyUnit(unit) === simplifyUnit(column.unit) ? undefined : unit;
}

/**
 * Finds declared columns in a header: by their exact wire name, else by a name that differs only in case, spaces,
 * underscores, hyphens or a bracketed unit.
 *
 * @param columns Declarations; those without a column in the header are left out
 * @returns Positions, or the problem of the header
 */
export function bindColumns(names: readonly string[], columns: readonly Column[]): Binding {
  const declared = new Set(columns.map(wireName));
  const positions = new Map<Column, number>();
  const columnAt = new Map<number, Column>();
  // Indexed, because searching all names for each of 10,000 columns would take minutes.
  const bases = names.map((name) => bracketed.exec(name)?.[1]);
  const bySimpleName = Map.groupBy(names.keys(), (i) => simplifyName(names[i]));
  const withUnit = Map.groupBy(bases.keys(), (i) => bases[i] && simplifyName(bases[i]));
  for (const column of columns) {
    const wire = wireName(column);
    const simpleName = simplifyName(wire);
    const others = [...new Set(column.aliases?.map(simplifyName))];
    // Similar names, else similar names with a unit, else aliases.
    const matches =
      (bySimpleName.get(simpleName) ?? withUnit.get(simpleName) ?? others.flatMap((one) =>
        bySimpleName.get(one) ?? []
      ))
        // A name that matches another declaration exactly belongs to that one only.
        .filter((i) => names[i] === wire || !declared.has(names[i]));
    const fitting = matches.filter((i) =>
      names[i] === wire || findOtherUnit(names[i], column) === undefined
    );
    if (fitting.length > 1) {
      const duplicates = fitting.map((i) => `"${names[i]}"`).join(" and ");
      return { problem: `columns ${duplicates} both mean "${wire}". Remove or rename one of them` };
    }
    if (fitting.length === 1) {
      const other = columnAt.get(fitting[0]);
      if (other && other.name !== column.name) {
        const columnNames = `"${other.name}" and "${column.name}"`;
        return {
          problem: `column "${names[fitting[0]]}" is declared twice, as ${columnNames}. ` +
            "Declare another column for one of them",
        };
      }
      positions.set(column, fitting[0]);
      columnAt.set(fitting[0], column);
    } else if (matches.length > 0 && !column.optional) {
      const name = names[matches[0]];
      return {
        problem:
          `column "${name}" is in ${findOtherUnit(name, column)}, but ${column.unit} is needed. ` +
          "Convert the values, and correct the unit in the name",
      };
    }
  }
  return { positions };
}

/**
 * Whether a header has all of these names, exactly or, if `alike`, in another spelling or by an alias.
 *
 * @param required Possible names of each column, its own first
 */
export function holdsNames(
  names: readonly string[],
  required: readonly (readonly string[])[],
  anySpelling: boolean,
): boolean {
  if (!anySpelling) return required.every(([name]) => names.includes(name));
  const texts = names.flatMap((name) => [name, bracketed.exec(name)?.[1] ?? name]);
  const bases = new Set(texts.map(simplifyName));
  return required.every((possibleNames) =>
    possibleNames.some((name) => bases.has(simplifyName(name)))
  );
}

/** Lists the names of a header, for messages. */
export function listNames(names: readonly string[]): string {
  const quoted = names.filter((name) => name !== "").slice(0, 30)
    .map((name) => `"${shortenText(name)}"`);
  const more = names.filter((name) => name !== "").length - quoted.length;
  return `Its columns are ${quoted.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
