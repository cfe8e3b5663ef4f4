import { type Column, wireName } from "../../api/columns/column.ts";

/** A name without what writers of files vary: case, spaces, underscores, hyphens. */
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

/** Positions in a header by declared column, or what stands against it. */
type Binding =
  | { readonly positions: ReadonlyMap<Column, number> }
  | { readonly problem: string };

/** Positions of the names that may stand for a wire name: an exact one, else alike ones, else alike ones with a unit. */
function findCandidates(names: readonly string[], column: Column): readonly number[] {
  const wire = wireName(column);
  const exact = names.indexOf(wire);
  const alike = names.flatMap((name, i) => simplifyName(name) === simplifyName(wire) ? [i] : []);
  if (exact !== -1) return [exact, ...alike.filter((i) => i !== exact)];
  if (alike.length > 0) return alike;
  return names.flatMap((name, i) => {
    const base = bracketed.exec(name)?.[1];
    return base !== undefined && simplifyName(base) === simplifyName(wire) ? [i] : [];
  });
}

/** Whether a name carries another unit in brackets than the one that is declared. */
function findOtherUnit(name: string, column: Column): string | undefined {
  if (name === wireName(column) || column.unit === undefined) return undefined;
  const match = bracketed.exec(name);
  const unit = match?.[2] ?? match?.[3];
  return unit === undefined || simplifyUnit(unit) === simplifyUnit(column.unit) ? undefined : unit;
}

/**
 * Finds declared columns in a header: by their exact wire name, else by a name that differs only in case, spaces,
 * underscores, hyphens or a bracketed unit.
 *
 * @param names Names in the header
 * @param columns Declarations; those that the header lacks are left out
 * @returns Positions, or the sentence that says why the header is refused
 */
export function bindColumns(names: readonly string[], columns: readonly Column[]): Binding {
  const declared = new Set(columns.map(wireName));
  const positions = new Map<Column, number>();
  for (const column of columns) {
    // A name that another declaration has exactly is that one's alone.
    const wire = wireName(column);
    const found = findCandidates(names, column)
      .filter((i) => names[i] === wire || !declared.has(names[i]));
    const fitting = found.filter((i) => findOtherUnit(names[i], column) === undefined);
    if (fitting.length > 1) {
      const twice = fitting.map((i) => `"${names[i]}"`).join(" and ");
      return { problem: `columns ${twice} both mean "${wire}". Leave one out or rename it` };
    }
    if (fitting.length === 1) positions.set(column, fitting[0]);
    else if (found.length > 0 && !column.optional) {
      const name = names[found[0]];
      return {
        problem:
          `column "${name}" is in ${findOtherUnit(name, column)}, expected is ${column.unit}. ` +
          "Convert it, and name its unit",
      };
    }
  }
  return { positions };
}

/** Whether a header holds all of these names, exactly or, where `alike`, in another writing. */
export function holdsNames(
  names: readonly string[],
  required: readonly string[],
  alike: boolean,
): boolean {
  if (!alike) return required.every((name) => names.includes(name));
  const bases = names.flatMap((
    name,
  ) => [simplifyName(name), simplifyName(bracketed.exec(name)?.[1] ?? name)]);
  return required.every((name) => bases.includes(simplifyName(name)));
}
