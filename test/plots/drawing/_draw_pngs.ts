/**
 * A program that prints the SHA-256 of every plot's PNG, and of names in the scripts that the shipped font covers. With
 * `--foreign` it draws a name in another script instead.
 *
 * @module
 */
import { plotPowerCurve } from "../../../src/plots/hours/power_curve.ts";
import { buildEveryPlot } from "../_every_plot.ts";
import { buildDetails } from "../_frames.ts";

/** Characters of names and units in charts: Latin of all Europe and Vietnam, Greek, Cyrillic, signs. */
export const NAMES =
  "Łódź Čáslav Şile Çeşme İğdır Ålesund Þórshöfn Ostrołęka Târgu Mureș Đà Nẵng Κοζάνη Запоріжжя Ґ " +
  "²³⁻¹ − – — ≥ ≤ ≈ ± · × ° ‰ µ μ ρ σ Δ Ω → ← ↑ ↓ … ′ ″ “ ” „ ‘ ’ « » € ₺ zł ● ○ ▲ ▼ ◆ ∞ № ½";

if (import.meta.main) {
  const charts = Deno.args.includes("--foreign")
    ? { foreign: plotPowerCurve(buildDetails({ name: "風車 T1" })) }
    : { ...buildEveryPlot(), names: plotPowerCurve(buildDetails({ name: NAMES })) };
  for (const [name, chart] of Object.entries(charts)) {
    const digest = await crypto.subtle.digest("SHA-256", (await chart.png()).slice());
    console.log(name, new Uint8Array(digest).toHex());
  }
}
