/**
 * Parts of schemas with messages for users, which name the wrong value and the valid ones.
 *
 * @module
 */
import { z } from "zod";
import { describeValue, visibleText } from "../../api/error_text.ts";
import { suggestName } from "./suggest.ts";
import { joinNames } from "../text/numbers.ts";

/** Lists values in quotes with "or" before the last; tab and space are named. */
function formatChoices(values: readonly string[]): string {
  const named = values.map((value) =>
    value === "\t" ? "tab" : value === " " ? "a space" : JSON.stringify(value)
  );
  return joinNames(named, Infinity, "or");
}

/** Schema of a text that must be one of a few values. */
export function oneOf<const T extends readonly string[]>(
  values: T,
): z.ZodEnum<{ [K in T[number]]: K }> {
  return z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is missing. Give ${formatChoices(values)}`
        : `${visibleText(describeValue(input))} is unknown. Give ${formatChoices(values)}`,
  });
}

const PROTO = /^__proto___*$/;

/** Renames keys of an object. */
const renameKeys = (object: object, rename: (key: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));

/**
 * Schema of values by user-chosen names. The result inherits nothing, so `constructor` exists only if the user chose it. It
 * also keeps `__proto__`, which `z.record()` drops, by adding an underscore to the key meanwhile.
 */
export function byName<V extends z.ZodType>(
  key: z.ZodString,
  value: V,
  params?: Parameters<typeof z.record>[2],
): z.ZodType<Record<string, z.output<V>>> {
  return z.preprocess(
    (given) =>
      Object.keys(Object(given)).some((key) => PROTO.test(key))
        ? renameKeys(given as object, (key) => key.replace(PROTO, "$&_"))
        : given,
    z.record(key, value, params).transform((known) =>
      Object.setPrototypeOf(
        renameKeys(known, (key) => PROTO.test(key) ? key.slice(0, -1) : key),
        null,
      )
    ),
  );
}

/** Most fields of an object of which a message names all, not only the required ones. */
const MAX_NAMED = 3;

/** Schema of an object with exactly these fields; for an unknown field it suggests a similar one. */
export function strictFields<T extends Readonly<Record<string, z.ZodType>>>(
  fields: T,
): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(fields);
  const needed = known.filter((field) => !fields[field].safeParse(undefined).success);
  const named = known.length <= MAX_NAMED ? known : needed;
  return z.strictObject(fields, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") {
        const description = issue.input === undefined ? "missing" : describeValue(issue.input);
        return `is ${description}. Give { ${named.join(", ")} }`;
      }
      return (issue as unknown as { keys: string[] }).keys.map((key) => {
        const suggestion = suggestName(key, known);
        const advice = suggestion
          ? `did you mean "${suggestion}"?`
          : `The fields are ${known.join(", ")}`;
        return `the field "${key}" is unknown: ${advice}`;
      }).join("; ");
    },
  });
}
