import type { Tag } from "../../api/columns/column.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { operations } from "../../api/operations/operations.ts";
import type { Parameter } from "../../api/operations/parameter.ts";

/** A statement of the contract that is the same for several operations. */
export interface Statement {
  /** What it is about: name of a parameter, or a status. */
  readonly name: string;
  readonly says: string;
  readonly tag: Tag;
  /** Names of the operations that it is about. */
  readonly where: readonly string[];
}

/** Forms of parameters, where the name of the type does not say it. */
const FORMS: Readonly<Partial<Record<Parameter["type"], string>>> = {
  year_month: "month as 2023-05",
  date: "date as 2023-05-01",
  email: "e-mail address",
  string: "text",
};

function describeAllowed(parameter: Parameter): string {
  const { type, values, minimum, maximum, unit, required } = parameter;
  const form = values?.join(", ") ?? FORMS[type] ?? type;
  const span = minimum === undefined && maximum === undefined
    ? []
    : [`${minimum ?? "any"} to ${maximum ?? "any"}${unit ? ` ${unit}` : ""}`];
  const standard = parameter.defaultApplies === false ? "default in the text" : "default";
  const absent = required
    ? "required"
    : parameter.default === undefined
    ? "optional"
    : `${standard} ${parameter.default}`;
  return [form, ...span, absent].join("; ");
}

function joinStatements(statements: readonly Statement[]): Statement[] {
  const found = new Map<string, Statement>();
  for (const statement of statements) {
    const { name, says, tag, where } = statement;
    const key = JSON.stringify([name, says, tag]);
    const same = found.get(key);
    found.set(key, same ? { ...same, where: [...same.where, ...where] } : statement);
  }
  return [...found.values()];
}

/** Lists what the contract states of parameters, in the order of the operations. */
export function listParameterStatements(): Statement[] {
  return joinStatements(
    operations.flatMap(({ id, parameters }: Operation) =>
      parameters.map((parameter) => ({
        name: parameter.name,
        says: describeAllowed(parameter),
        tag: parameter.tag,
        where: [id],
      }))
    ),
  );
}

/** Lists what the contract states of error statuses, in their order. */
export function listErrorStatements(): Statement[] {
  return joinStatements(
    operations.flatMap(({ id, errors }) =>
      errors.map(({ status, condition, tag }) => ({
        name: String(status),
        says: condition,
        tag,
        where: [id],
      }))
    ),
  ).toSorted((a, b) => Number(a.name) - Number(b.name));
}
