import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { suggestName } from "./suggest.ts";

/** The options of a function, declared once: names, required ones, and defaults. */
export interface OptionTable<T, Filled extends keyof T = never> {
  readonly names: { readonly [K in keyof T]-?: "needed" | "optional" };
  readonly defaults: { readonly [K in Filled]-?: Exclude<T[K], undefined> };
}

/** Options after reading: those with a default have a value. */
export type FilledOptions<T, Filled extends keyof T> =
  & T
  & { readonly [K in Filled]-?: Exclude<T[K], undefined> };

/** The words of a text. */
type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Names of options in a declaration: required ones end with "!". */
type Written<T> = {
  [K in keyof T & string]-?: Record<string, never> extends Pick<T, K> ? K : `${K}!`;
}[keyof T & string];

/** Any table, then the names and the filled options of several tables. */
// deno-lint-ignore no-explicit-any
type AnyTable = OptionTable<any, any>;
type NamesOf<Table> = Table extends AnyTable ? keyof Table["names"] : never;
type FilledOf<Table> = Table extends AnyTable ? keyof Table["defaults"] : never;

/**
 * Declares the options of a function. `declareOptions<Options>()("data! signal", {}, { sectors: 12 })` has a required
 * option, one without a default and one with a default. The compiler refuses a table with missing or unknown options;
 * `common` are tables of options that several functions share. The documentation of the type states the same defaults; a
 * test compares both.
 */
export function declareOptions<T>(): <
  const S extends string,
  // deno-lint-ignore ban-types
  const D extends Partial<T> = {},
  const C extends readonly AnyTable[] = [],
>(
  text: [Written<Omit<T, keyof D | NamesOf<C[number]>>>, Words<S>] extends
    [Words<S>, Written<T> | ""] ? S : never,
  defaults?: D,
  ...common: C
) => OptionTable<T, (keyof D | FilledOf<C[number]>) & keyof T> {
  return (text, defaults, ...common) => {
    const names = text.split(" ").filter(Boolean).map((name) =>
      name.endsWith("!") ? [name.slice(0, -1), "needed"] : [name, "optional"]
    );
    const filled = Object.keys(defaults ?? {}).map((name) => [name, "optional"]);
    return {
      names: Object.assign(
        Object.fromEntries([...names, ...filled]),
        ...common.map((table) => table.names),
      ),
      defaults: Object.assign({}, ...common.map((table) => table.defaults), defaults),
    } as never;
  };
}

/** Most characters of a name that a message shows. */
const MAX_CHARACTERS = 40;

/**
 * Reads the options of a function, and fills in defaults. It refuses an unknown option, because a misspelt one would be
 * ignored, and suggests the likely name.
 *
 * @param call The function, such as `modelData()`
 * @param options Options from the caller
 * @param table Declared options
 * @param meant Names of options by other common names
 * @throws {ArgumentError} If they are not an object, one is unknown, or a required one is missing
 */
export function readOptions<T extends object, Filled extends keyof T>(
  call: string,
  options: NoInfer<T>,
  { names, defaults }: OptionTable<T, Filled>,
  meant: Readonly<Record<string, keyof T & string>> = {},
): FilledOptions<T, Filled> {
  const known = Object.keys(names);
  const given: unknown = options === undefined ? {} : options;
  if (
    given === null || typeof given !== "object" || Array.isArray(given) || given instanceof Promise
  ) {
    const example = known.length > 0 ? `, such as { ${known[0]}: … }` : "";
    refuse(call, `its options are ${describeValue(given)}. Give an object${example}`);
  }
  for (const name of Object.keys(given as object)) {
    if (known.includes(name)) continue;
    const near = meant[name] ?? suggestName(name, known);
    refuse(
      call,
      `it has no option "${name.slice(0, MAX_CHARACTERS)}". ` +
        (near ? `Did you mean "${near}"?` : `It has ${known.join(", ")}`),
    );
  }
  const needed = known.filter((name) => (names as Record<string, string>)[name] === "needed");
  const missing = needed.filter((name) => (given as Record<string, unknown>)[name] === undefined);
  if (missing.length > 0) {
    const [verb, list] = [missing.length > 1 ? "are" : "is", needed.join(", ")];
    refuse(call, `${missing.join(" and ")} ${verb} missing. The options need { ${list} }`);
  }
  const defined = Object.entries(given as T).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(defined) } as FilledOptions<T, Filled>;
}

function refuse(call: string, problem: string): never {
  throw new ArgumentError(`Cannot call ${call}: ${problem}`);
}
