/** Environment variables for the time of a test. */
const before = new Map<string, string | undefined>();

function set(name: string, value: string | undefined): void {
  if (value === undefined) Deno.env.delete(name);
  else Deno.env.set(name, value);
}

/** Sets variables, or removes those that are `undefined`, and remembers what they were. */
export function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!before.has(name)) before.set(name, Deno.env.get(name));
    set(name, value);
  }
}

/** Makes the environment what it was before the first {@linkcode setEnvironment}. */
export function restoreEnvironment(): void {
  for (const [name, value] of before) set(name, value);
  before.clear();
}
