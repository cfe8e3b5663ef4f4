import { hitRate } from "./test/soak/hit_rate.ts";
console.log(hitRate(Number(Deno.args[0]), console.log));
