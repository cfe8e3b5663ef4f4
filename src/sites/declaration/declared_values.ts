/**
 * Schemas of the values of a site. Their messages name the value and the remedy; the JSON Schema uses the same words as
 * descriptions.
 *
 * @module
 */
import { z } from "zod";
import { describeValue, findHidden, visibleText } from "../../api/error_text.ts";
import { MAX_SITE_TEXT } from "../../frames/files/reader_limits.ts";

/** Message of an invalid value. */
type Expected = { readonly error: (issue: { readonly input?: unknown }) => string };

/** Builds a message from the value found and these words on what to give. */
export function expect(wanted: string): Expected {
  return {
    error: ({ input }) => {
      if (input === undefined) return `is missing. Give ${wanted}`;
      const shown = typeof input === "string" && input.length > 40
        ? `a text of ${input.length} characters`
        : visibleText(describeValue(input));
      return `is ${shown}. Give ${wanted}`;
    },
  };
}

/** Reports a problem with a declared value. */
export type Report = (path: readonly (string | number)[], message: string) => void;

/**
 * Adds a rule across the fields of an object. It also runs if checks of single fields fail, so one message has all
 * problems: any field may be missing or have the wrong type.
 */
export function withRule<S extends z.ZodType>(
  schema: S,
  rule: (value: z.output<S>, report: Report) => void,
): S {
  return schema.superRefine(
    (value, context) =>
      rule(
        value,
        (path, message) => context.addIssue({ code: "custom", path: [...path], message }),
      ),
    { when: ({ value }) => typeof value === "object" && value !== null },
  );
}

/**
 * Schema of a text on one line, without hidden or hiding characters.
 *
 * @param wanted What to give, such as "the name of the turbine"
 * @param length Characters at least and at most
 * @param toLine Joins lines of a text that may have several
 */
export function text(
  wanted: string,
  [least, most]: readonly [number, number] = [1, MAX_SITE_TEXT],
  toLine = (value: string) => value,
): z.ZodString {
  const limits = most < MAX_SITE_TEXT ? `, ${most} characters at most` : "";
  const expected = expect(`${wanted}${limits}`);
  return z.string(expected).min(least, expected).max(
    most,
    expect(`${wanted}, ${most} characters at most`),
  )
    .refine((value) => findHidden(toLine(value)) === null, {
      error: ({ input }) => `has ${findHidden(toLine(String(input)))}. Give ${wanted} without it`,
    }).describe(wanted);
}

/** Schema of a name or a value as in a file: cells may have tabs and line breaks. */
export const cellText = (wanted: string): z.ZodString =>
  text(wanted, undefined, (value) => value.replaceAll(/[\t\r\n]/g, " "));

/**
 * Schema of a number within bounds.
 *
 * @param wanted What to give, with its unit, such as "the hub height in m"
 * @param bounds Least and greatest value
 */
export function number(wanted: string, [least, most]: readonly [number, number]): z.ZodNumber {
  const expected = expect(`${wanted}, a number of ${least} to ${most}`);
  return z.number(expected).min(least, expected).max(most, expected).describe(wanted);
}

/**
 * Schema of a list.
 *
 * @param wanted What to give, such as "a list of turbines"
 * @param of Schema of its entries
 * @param length Entries at least and at most
 */
export function list<T extends z.ZodType>(
  wanted: string,
  of: T,
  [least, most]: readonly [number, number] = [0, Infinity],
): z.ZodArray<T> {
  const expected = expect(wanted);
  const all = z.array(of, expected).min(least, expected).describe(wanted);
  return most === Infinity ? all : all.max(most, expect(`${wanted}, ${most} at most`));
}
