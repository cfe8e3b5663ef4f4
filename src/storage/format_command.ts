/** Puts a word of a command in quotes for a shell, where it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Formats a command for a message in both ways of starting it: the program of the package, and the task of a checkout.
 *
 * @param command The command with its arguments, such as `import SITE.json`
 */
export function formatCommand(command: string): string {
  return `vindkit ${command} (in a checkout: deno task ${command})`;
}
