import { tasks } from "./test/validate/_tasks.ts";
const only = Deno.args;
for (
  const [n, f] of [
    ["lasting", () => tasks.lastingLosses(null)],
    ["kel", () =>
      tasks.predictMonths({
        site: "kelmarsh",
        position: 0,
        model: { selected: true, masked: true },
        sources: [["era5"]],
      })],
    ["kelf", () =>
      tasks.predictMonths({
        site: "kelmarsh",
        position: 0,
        model: { selected: false, masked: true },
        sources: [["era5"]],
      })],
    ["lhb", () =>
      tasks.predictMonths({
        site: "la_haute_borne",
        position: 0,
        model: { selected: true, masked: true },
        sources: [["era5"], ["merra2"], ["era5", "merra2"]],
      })],
    ["lhbf", () =>
      tasks.predictMonths({
        site: "la_haute_borne",
        position: 0,
        model: { selected: false, masked: true },
        sources: [["era5"], ["merra2"], ["era5", "merra2"]],
      })],
    ["raise", () => tasks.raiseWind([])],
    ["boost", () => tasks.boosting({ site: "kelmarsh", reanalyses: ["era5"] })],
  ] as const
) {
  if (only.length && !only.includes(n)) continue;
  const t = performance.now();
  try {
    await f();
  } catch (e) {
    console.log(String(e).slice(0, 200));
  }
  console.log(n, ((performance.now() - t) / 1000).toFixed(1));
}
