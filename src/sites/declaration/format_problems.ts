import type { z } from "zod";
import { visibleText } from "../../api/error_text.ts";

/** Problems that a message lists: more than a person declares, fewer than a hostile file may have. */
const MAX_PROBLEMS = 200;

type Issue = z.core.$ZodIssue;

/** What is wrong with the alternative that was meant: the one with the fewest faults inside of it; else that none is. */
function openUnions(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [meant] = issue.errors.map((issues) => issues.flatMap(openUnions))
    .filter((issues) =>
      issues.every(({ path, code, input }) =>
        path.length === 0
          ? code !== "invalid_type"
          // Without the word that says of which kind it is, it was not meant as this one.
          : code !== "invalid_value" || path.length > 1 || input !== undefined
      )
    )
    .toSorted((a, b) => a.length - b.length);
  if (!meant) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function formatPlace(parts: readonly PropertyKey[]): string {
  return parts.map((part) =>
    typeof part === "number"
      ? `[${part}]`
      : /^[\w-]+$/.test(String(part))
      ? `.${String(part)}`
      : `[${JSON.stringify(visibleText(String(part)))}]`
  ).join("").replace(/^\./, "");
}

/** Lists what is wrong with a declaration, each fault with its place. */
export function listProblems(issues: readonly Issue[]): string[] {
  return issues.flatMap(openUnions).flatMap(({ path, message }) =>
    // An object has one issue for all of its unknown fields.
    message.split(/; (?=the field ")/).map((one) => `${formatPlace(path) || "the site"}: ${one}`)
  );
}

/** Formats faults behind what was tried: one after a colon, several each on a line of its own. */
export function formatProblems(problems: readonly string[]): string {
  if (problems.length === 1) return `: ${problems[0]}`;
  const more = problems.length - MAX_PROBLEMS;
  return [
    `, ${problems.length} faults:`,
    ...problems.slice(0, MAX_PROBLEMS),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n  ");
}
