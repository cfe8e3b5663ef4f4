/**
 * Runs `deno doc --lint` over the entries: every symbol is documented, and every type of a signature has a name in one.
 *
 * @module
 */
import { lintEntries } from "../scripts/types.ts";

const findings = await lintEntries();
for (const finding of findings) console.error(finding);
console.log(`doc lint: ${findings.length} findings`);
if (findings.length > 0) Deno.exit(1);
