import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { suggestName } from "./suggest.ts";

/** The options of a function by name, whether each is needed: tied to their type, so that none can be forgotten. */
export type OptionNames<T> = {
  readonly [K in keyof T]-?: Record<string, never> extends Pick<T, K> ? "optional" : "needed";
};

/** The words of a text. */
type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Names of options as they are written: one that is needed ends with "!". */
type Written<T> = {
  [K in keyof T & string]-?: Record<string, never> extends Pick<T, K> ? K : `${K}!`;
}[keyof T & string];

/**
 * Names the options of a function: `nameOptions<Options>()("data! signal")`. The compiler refuses a text that lacks one, or
 * has one that the type does not have; `common` has those of several functions.
 */
export function nameOptions<T>(): <const S extends string, C extends object = object>(
  text: [Written<Omit<T, keyof C>>, Words<S>] extends [Words<S>, Written<T> | ""] ? S : never,
  common?: C,
) => OptionNames<T> {
  return (text, common) => {
    const names = text.split(" ").filter(Boolean).map((name) =>
      name.endsWith("!") ? [name.slice(0, -1), "needed"] : [name, "optional"]
    );
    return { ...Object.fromEntries(names), ...common } as never;
  };
}

/** Most characters of a name that a message shows. */
const MAX_CHARACTERS = 40;

/**
 * Refuses options that a function does not have, and says which one may be meant: a misspelt option would be ignored.
 *
 * @param call The function, such as `modelData()`
 * @param options Its options as they were given
 * @param names The options that it has
 * @param meant What is meant by other names that people know an option by
 * @throws {ArgumentError} If they are no object, one of them is unknown, or one that is needed is missing
 */
export function checkOptions<T extends object>(
  call: string,
  options: T,
  names: OptionNames<T>,
  meant: Readonly<Record<string, keyof T & string>> = {},
): void {
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
    refuse(call, `${missing.join(" and ")} ${verb} missing. Its options need { ${list} }`);
  }
}

function refuse(call: string, problem: string): never {
  throw new ArgumentError(`Cannot call ${call}: ${problem}`);
}
