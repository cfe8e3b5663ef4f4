import { validation } from "../validate/validation_page.ts";

/** Computes all of docs/validation.md again, and compares it with the page. */
export async function realSites(_rounds: number, say: (line: string) => void): Promise<string[]> {
  const docs = await Deno.readTextFile(new URL("../../docs/validation.md", import.meta.url));
  const { page, missed } = await validation(docs, true);
  say(`${page.match(/^## /gm)?.length ?? 0} sections computed again`);
  return page === docs
    ? [...missed]
    : [...missed, "docs/validation.md says something else. Run: deno task validate"];
}
