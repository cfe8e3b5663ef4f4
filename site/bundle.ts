/**
 * Bundles scripts for pages that are opened from the disk, where a browser loads no modules.
 *
 * @module
 */
import { type Plugin, rollup } from "@rollup/browser";
import { stripTypeScriptTypes } from "node:module";

/** Reads the files of the checkout as they are, and TypeScript without its types. */
const sources: Plugin = {
  name: "sources",
  async resolveId(id, from) {
    if (/^(\.|file:)/.test(id)) return new URL(id, from).href;
    await import(id); // fetched, where this machine does not have it yet
    return import.meta.resolve(id);
  },
  async load(id) {
    const text = await Deno.readTextFile(new URL(id));
    if (id.endsWith(".json")) return `export default ${text};`;
    return id.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  },
};

/**
 * Bundles a script with all that it imports into one that is no module.
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
