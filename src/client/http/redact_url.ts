/** Parameters that identify the customer; their values are never shown. */
export const PRIVATE_PARAMETERS: readonly string[] = ["email", "serial_number"];

/** Shortens the address of a file: anybody who knows the whole address may download it. */
export function redactFileUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}/.../${pathname.slice(pathname.lastIndexOf("/") + 1)}`;
}

/** Replaces private values in an address, for messages. */
export function redactUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of PRIVATE_PARAMETERS) {
    if (searchParams.has(name)) searchParams.set(name, "***");
  }
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${origin}${pathname}${query}`;
}
