import type { Command, CommandHead, CommandOption } from "./command.ts";
import { PROGRAM } from "./project.ts";

/** Width of the help: that of a terminal nobody has made wider. */
const COLUMNS = 80;

/** Breaks a text into lines; a word that is longer than a line has one of its own. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * Formats names and their meanings as two columns.
 *
 * @param rows Name and meaning of each
 */
export function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, about]) =>
    `  ${name}`.padEnd(width) +
    wrap(about, COLUMNS - width).join(`\n${" ".repeat(width)}`)
  ).join("\n");
}

function formatOption(name: string, { short, value }: CommandOption): string {
  return [short ? `-${short}, --${name}` : `--${name}`, value].filter(Boolean).join(" ");
}

/** Formats how a command is called, a line for each of its forms. */
export function formatForms(name: string, { forms }: Command): string {
  return forms.map((form) => `  ${PROGRAM} ${name} ${form}`.trimEnd()).join("\n");
}

/** Formats the help of a command: what it does, how it is called, its options, an example. */
export function formatHelp({ name, purpose }: CommandHead, command: Command): string {
  const { arguments: own = {}, options, example, notes = [] } = command;
  const rows = [
    ...Object.entries(own),
    ...Object.entries(options).map(([option, how]) =>
      [formatOption(option, how), how.about] as const
    ),
    ["-h, --help", "prints this"] as const,
  ];
  return [
    wrap(`${purpose}.`, COLUMNS).join("\n"),
    `Usage:\n${formatForms(name, command)}`,
    formatRows(rows),
    `Example:\n  ${PROGRAM} ${name} ${example}`.trimEnd(),
    ...notes.map((note) => wrap(note, COLUMNS).join("\n")),
  ].join("\n\n");
}
