/**
 * Runs `deno doc --lint` over the entry points: every exported symbol is documented and names no private type.
 * What Polars documents or not is its own matter: `pl` and `DataFrame` are re-exported.
 *
 * @module
 */
const config = JSON.parse(await Deno.readTextFile("deno.json")) as {
  exports: Record<string, string>;
};
const { stderr } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--lint", ...Object.values(config.exports)],
  env: { NO_COLOR: "1" },
  stdout: "null",
  stderr: "piped",
}).output();
const findings = new TextDecoder().decode(stderr).split(/\n(?=error\[)/)
  .filter((part) => part.startsWith("error["));
const ours = findings.filter((part) => !part.includes("/nodejs-polars/"));
for (const finding of ours) console.error(finding);
console.log(`doc lint: ${ours.length} findings`);
if (ours.length > 0) Deno.exit(1);
