/**
 * Runs `deno doc --lint` over the entries: every symbol must be documented, and an entry must export every type of a
 * signature.
 *
 * @module
 */
import { lintEntries } from "../scripts/types.ts";

const findings = await lintEntries();
for (const finding of findings) console.error(finding);
console.log(`doc lint: ${findings.length} findings`);
if (findings.length > 0) Deno.exit(1);
