/** Quotes a word of a command for a shell, if needed. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Formats a command for a message, as installed program and as task of a checkout.
 *
 * @param command The command with its arguments, such as `import SITE.json`
 */
export function formatCommand(command: string): string {
  return `vindkit ${command} (in a checkout: deno task ${command})`;
}
