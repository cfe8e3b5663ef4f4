import { readSite } from "./src/service/import/read_site.ts";
import { leaveOneMonthOut, models } from "./test/validate/leave_one_month_out.ts";
const which = Deno.args;
for (const file of which) {
  const data = await readSite(file);
  for (const model of [...models, { name: "selected, nothing masked", kinds: models[2].kinds, masked: false }]) {
    const scores = data.turbines.map((_, i) => leaveOneMonthOut(data, i, model));
    const mean = (f: (s: any) => number) => scores.reduce((a, s) => a + f(s), 0) / scores.length;
    console.log(file.split("/").pop(), model.name.padEnd(26), mean((s) => s.meanAbsoluteError).toFixed(2), "r", mean((s) => s.correlation).toFixed(4), "hits", scores.reduce((a, s) => a + s.hits, 0), "/", scores.reduce((a, s) => a + s.months, 0), scores.map((s) => s.meanAbsoluteError.toFixed(1)).join(" "), scores.map((s) => [...s.chosen].map(([k, n]) => `${k}${n}`).join(",")).join(" | "));
  }
}
