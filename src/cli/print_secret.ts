/** Prints a line with a secret: not through the console, as OpenTelemetry would export it. */
export function printSecret(text: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  } catch {
    // A closed pipe, or a log on a full disk.
  }
}
