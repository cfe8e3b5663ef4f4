/**
 * Parts of schemas with messages for users: they say what was found and what can be given.
 *
 * @module
 */
import { z } from "zod";
import { describeValue, visibleText } from "../../api/error_text.ts";
import { suggestName } from "./suggest.ts";
import { joinNames } from "../text/numbers.ts";

/** Lists values in quotes with "or" before the last; tab and space by name. */
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
const renameKeys = (given: object, rename: (key: string) => string) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [rename(key), value]));

/**
 * Schema of values by names that a user chose. The result inherits nothing, so `constructor` is there only if it was
 * given; and it keeps `__proto__`, which `z.record()` drops: it sees that key with an underscore more.
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

/** Fields that a message names, of objects that need none of them too. */
const MAX_NAMED = 3;

/** Schema of an object with these fields and no others; for an unknown field it suggests a similar one. */
export function strictFields<T extends Readonly<Record<string, z.ZodType>>>(
  fields: T,
): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(fields);
  const needed = known.filter((field) => !fields[field].safeParse(undefined).success);
  const named = known.length <= MAX_NAMED ? known : needed;
  return z.strictObject(fields, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") {
        const found = issue.input === undefined ? "missing" : describeValue(issue.input);
        return `is ${found}. Give { ${named.join(", ")} }`;
      }
      return (issue as unknown as { keys: string[] }).keys.map((key) => {
        const meant = suggestName(key, known);
        const advice = meant ? `did you mean "${meant}"?` : `The fields are ${known.join(", ")}`;
        return `the field "${key}" is unknown: ${advice}`;
      }).join("; ");
    },
  });
}
