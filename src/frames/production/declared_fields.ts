/**
 * Parts of schemas whose messages are for people: they say what was found and what can be given.
 *
 * @module
 */
import { z } from "zod";
import { suggestName } from "../../api/suggest.ts";

/** Words in quotes with "or" before the last; what cannot be seen has a name. */
function formatChoices(values: readonly string[]): string {
  const named = values.map((value) =>
    value === "\t" ? "tab" : value === " " ? "a space" : JSON.stringify(value)
  );
  return `${named.slice(0, -1).join(", ")} or ${named[named.length - 1]}`;
}

/**
 * One of a few words.
 *
 * @param values The words
 */
export function oneOf<const T extends readonly string[]>(
  values: T,
): z.ZodEnum<{ [K in T[number]]: K }> {
  return z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is missing. Give ${formatChoices(values)}`
        : `${JSON.stringify(input)} is unknown. Give ${formatChoices(values)}`,
  });
}

/**
 * An object of these fields and no others; an unknown one is refused with the field that it is likely to mean.
 *
 * @param fields What each field may be
 */
export function strictFields<T extends Readonly<Record<string, z.ZodType>>>(
  fields: T,
): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(fields);
  return z.strictObject(fields, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return `has no fields. Give ${known.join(", ")}`;
      return (issue as unknown as { keys: string[] }).keys.map((key) => {
        const meant = suggestName(key, known);
        const advice = meant ? `did you mean "${meant}"?` : `The fields are ${known.join(", ")}`;
        return `"${key}" is no field here: ${advice}`;
      }).join("; ");
    },
  });
}
