/** Parameters whose values are nobody else's business. */
export const PRIVATE_PARAMETERS: readonly string[] = ["email", "serial_number"];

/** Address of a file without what opens it: whoever knows the whole of it may download. */
export function redactFileUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}/.../${pathname.slice(pathname.lastIndexOf("/") + 1)}`;
}

/** Address without what may be private: for messages. */
export function redactUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of PRIVATE_PARAMETERS) {
    if (searchParams.has(name)) searchParams.set(name, "***");
  }
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${origin}${pathname}${query}`;
}
