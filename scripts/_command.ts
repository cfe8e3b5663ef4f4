/** What the scripts share: arguments read, paths from the caller's folder, errors told without a stack. */
import { parseArgs } from "node:util";

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

/** The arguments of a task, read. */
export interface Arguments {
  /** An option with a value. */
  text(name: string): string | undefined;
  /** The values of an option that may be given several times. */
  texts(name: string): readonly string[];
  /** An option without one. */
  flag(name: string): boolean;
  /** The arguments that are no options. */
  readonly rest: readonly string[];
}

/** A path as the caller means it: a task runs in the project's folder, wherever it was called from. */
export function callerPath(path: string): string {
  const folder = Deno.env.get("INIT_CWD");
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}

/** How many arguments there must be for what the first one says. */
function countOf(
  counts: Readonly<Record<string, number>>,
  [first]: readonly string[],
  refuse: (problem: string) => never,
): number {
  if (first !== undefined && Object.hasOwn(counts, first)) return counts[first];
  const said = first === undefined ? "nothing" : `"${first}"`;
  return refuse(`The first argument is ${said}: give one of ${Object.keys(counts).join(", ")}`);
}

/**
 * Runs a command: prints its help when asked for or misused, and errors as one message.
 *
 * @param help The help text
 * @param options Options as `parseArgs` takes them
 * @param rest How many arguments there are beside the options; by the first of them, itself counted, where that says
 * what to do; `"any"` for any number of them
 * @param run What to do
 */
export async function command(
  help: string,
  options: Options,
  rest: number | "any" | Readonly<Record<string, number>>,
  run: (given: Arguments) => Promise<void>,
): Promise<void> {
  const refuse = (problem: string): never => {
    console.error(`${problem}\n\n${help}`);
    Deno.exit(2);
  };
  const parse = () => {
    try {
      return parseArgs({
        args: Deno.args,
        allowPositionals: true,
        options: { ...options, help: { type: "boolean", short: "h" } },
      });
    } catch (error) {
      return refuse((error as Error).message);
    }
  };
  const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } =
    parse();
  if (values.help) {
    console.log(help);
    return;
  }
  const wanted = rest === "any"
    ? positionals.length
    : typeof rest === "number"
    ? rest
    : countOf(rest, positionals, refuse);
  if (positionals.length !== wanted) {
    refuse(
      `There must be ${wanted} argument${
        wanted === 1 ? "" : "s"
      } beside the options, there are ${positionals.length}`,
    );
  }
  try {
    await run({
      text: (name) => values[name] as string | undefined,
      texts: (name) => values[name] as string[] | undefined ?? [],
      flag: (name) => values[name] === true,
      rest: positionals,
    });
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
