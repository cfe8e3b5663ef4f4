/**
 * Bundles scripts, because browsers load no modules for pages opened from disk.
 *
 * @module
 */
import { type Plugin, rollup } from "@rollup/browser";
import { stripTypeScriptTypes } from "node:module";

/** Reads files of the checkout, and strips types from TypeScript. */
const sources: Plugin = {
  name: "sources",
  async resolveId(id, from) {
    if (/^(\.|file:)/.test(id)) return new URL(id, from).href;
    await import(id); // downloads it if it is not in the cache
    return import.meta.resolve(id);
  },
  async load(id) {
    const text = await Deno.readTextFile(new URL(id));
    if (id.endsWith(".json")) return `export default ${text};`;
    return id.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  },
};

/**
 * Bundles a script and its imports into a classic script.
 *
 * @param entry Address of its file
 */
export async function bundleScript(entry: URL): Promise<string> {
  const bundle = await rollup({
    input: entry.href,
    plugins: [sources],
    onwarn({ message }) {
      throw new Error(`Cannot bundle ${entry.pathname}: ${message}`);
    },
  });
  const { output: [{ code }] } = await bundle.generate({ format: "iife" });
  return code;
}
