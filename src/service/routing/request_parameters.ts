import type { Operation } from "../../api/operations/operation.ts";
import { type ParameterValue, readParameter } from "../../api/operations/parameter.ts";
import { visibleText } from "../../api/visible_text.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";

/** Refuses what an operation does not take: a misspelt name would be ignored, and other data come than were asked for. */
function checkNames(operation: Operation, query: Readonly<Record<string, string[]>>): void {
  const known = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
  for (const [name, values] of Object.entries(query)) {
    if (!known.includes(name)) {
      const has = known.length > 0 ? `it has ${known.join(", ")}` : "it has none";
      const shown = visibleText(name.slice(0, 60));
      throw new Refusal(
        "invalid_argument",
        `${shown} is not a parameter of this operation: ${has}`,
      );
    }
    if (values.length > 1) {
      throw new Refusal(
        "invalid_argument",
        `${name} is given ${values.length} times. Give it once`,
      );
    }
  }
}

/**
 * Reads the parameters of a request.
 *
 * @param path Values of the parts of its path
 * @param query Values of its query, by name
 * @throws {Refusal} If one is missing, unknown, given twice or not allowed
 */
export function readParameters(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string[]>>,
): Record<string, ParameterValue | undefined> {
  checkNames(operation, query);
  const parameters: Record<string, ParameterValue | undefined> = {};
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const read = readParameter(parameter, parameter.in === "path" ? path[name] : query[name]?.[0]);
    if ("problem" in read) {
      throw new Refusal(
        parameter.refusal ?? "invalid_argument",
        `${parameter.name}: ${read.problem}`,
      );
    }
    parameters[parameter.name] = read.value;
  }
  return parameters;
}
