import { parseArgs } from "node:util";
import { type Arguments, type Command, formatUnknown, MisuseError } from "./command.ts";

function findArgumentCount(
  counts: Readonly<Record<string, number>>,
  [first]: readonly string[],
): number {
  if (first !== undefined && Object.hasOwn(counts, first)) return counts[first];
  const found = first === undefined ? "An argument is missing" : `The first argument is "${first}"`;
  throw new MisuseError(`${found}: give one of ${Object.keys(counts).join(", ")}`);
}

function parse(args: readonly string[], { options }: Command) {
  const own = Object.entries(options).map(([name, { value, short, multiple = false }]) => {
    const type: "string" | "boolean" = value === undefined ? "boolean" : "string";
    return [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const;
  });
  const all = { ...Object.fromEntries(own), help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: all });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const name = /'(-[^\s']*)/.exec(message)?.[1];
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || !name) throw new MisuseError(message);
    const known = Object.keys(all).map((option) => `--${option}`);
    throw new MisuseError(formatUnknown("option", name, known));
  }
}

/**
 * Reads the arguments of a command.
 *
 * @returns The arguments, or `"help"` where that is asked for
 * @throws {MisuseError} If an option is unknown, or the number of arguments is not that of the command
 */
export function readArguments(
  args: readonly string[],
  command: Command,
): Omit<Arguments, "signal"> | "help" {
  const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parse(
    args,
    command,
  );
  if (values.help) return "help";
  const { rest } = command;
  const found = positionals.length;
  const wanted = rest === "any" ? found : typeof rest === "number" ? rest : findArgumentCount(
    rest,
    positionals,
  );
  if (found !== wanted) {
    const words = `${wanted} argument${wanted === 1 ? "" : "s"}`;
    throw new MisuseError(`There must be ${words} beside the options, there are ${found}`);
  }
  return {
    text: (name) => values[name] as string | undefined,
    texts: (name) => values[name] as string[] | undefined ?? [],
    flag: (name) => values[name] === true,
    rest: positionals,
  };
}
