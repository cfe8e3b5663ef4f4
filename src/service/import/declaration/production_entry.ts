import type { z } from "zod";
import { strictFields } from "../../../frames/production/declared_fields.ts";
import {
  productionFields,
  type ProductionFormat,
} from "../../../frames/production/production_format.ts";
import { findContradiction } from "../../../frames/production/production_rules.ts";
import { text } from "./declared_values.ts";
import { type FieldName, toEntryField } from "./field_names.ts";

/** A camelCase name as a site file writes it: `timeZone` is `time_zone`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

type Fields = typeof productionFields;

type EntryFields =
  & { readonly [Field in keyof Fields as SnakeCase<Field>]: Fields[Field] }
  & { readonly file: z.ZodString };

const fields = Object.keys(productionFields) as (keyof ProductionFormat)[];

/**
 * Builds the schema of a production entry: the fields of a production format, and the file.
 *
 * @param name Names of the fields as the user writes them
 */
export function buildEntrySchema(name: FieldName): z.ZodObject<EntryFields, z.core.$strict> {
  const own = (field: keyof ProductionFormat) => name(toEntryField(field));
  return strictFields({
    file: text("the path of the production file"),
    ...Object.fromEntries(fields.map((field) => [own(field), productionFields[field]])),
  } as EntryFields).superRefine((entry, context) => {
    const found = findContradiction(readFormat(entry, own), own);
    if (!found) return;
    context.addIssue({ code: "custom", path: [own(found.field)], message: found.found });
  });
}

/** A production entry as read. */
export type ProductionEntry = z.infer<z.ZodObject<EntryFields>>;

function readFormat(
  entry: object,
  own: (field: keyof ProductionFormat) => string,
): ProductionFormat {
  const given = entry as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.filter((field) => given[own(field)] !== undefined)
      .map((field) => [field, given[own(field)]]),
  ) as unknown as ProductionFormat;
}

/** Format of the file of a production entry. */
export function toProductionFormat(entry: ProductionEntry): ProductionFormat {
  return readFormat(entry, toEntryField);
}
