/**
 * Prints the permissions of `deno task import` and `update`: every host only where they are to reach what machines share, whose
 * hosts nobody knows here.
 *
 * @module
 */
console.log(Deno.env.get("VINDKIT_DATABASE") ? "shared" : "import");
