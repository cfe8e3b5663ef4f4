/**
 * Prints the permission set of `deno task import` and `update`. Only the set for shared storage allows every host,
 * because its hosts are unknown here.
 *
 * @module
 */
console.log(Deno.env.get("VINDKIT_DATABASE") ? "shared" : "import");
