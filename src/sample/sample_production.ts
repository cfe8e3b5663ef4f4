import pl, { type DataFrame } from "nodejs-polars";
import { buildDatetimes, buildNumbers } from "../frames/frame.ts";
import { productionColumns } from "../frames/production/production_columns.ts";
import { describeFrame } from "../frames/origin/provenance.ts";
import { HOUR } from "../time/hourly.ts";
import type { Production } from "../windindex/calibration/production.ts";
import { simulateClimate } from "./climate.ts";
import { simulateProduction } from "./production.ts";
import { dataset } from "./sample_world.ts";
import { sampleSites } from "./sites.ts";

/** Builds a frame of production like those of `readProduction()`: hours, months or years. */
function buildProductionFrame(production: Production): DataFrame {
  if (production.kind === "hourly") {
    const { axis, power } = production;
    const stamps = Float64Array.from(power, (_, i) => axis.start + i * HOUR);
    return pl.DataFrame([buildDatetimes("time", stamps), buildNumbers("power", power)]);
  }
  const labels = production.periods.map(({ label }) => label);
  const energy = production.periods.map(({ energy }) => energy / 1000);
  return labels[0].length === 4
    ? pl.DataFrame({ year: labels.map(Number), energy })
      .withColumns(pl.col("year").cast(pl.Int32))
    : pl.DataFrame({ month: labels.map((label) => new Date(`${label}-01T00:00Z`)), energy })
      .withColumns(pl.col("month").cast(pl.Date));
}

let productions: ReadonlyMap<string, DataFrame> | undefined; // cached, because it never changes and takes seconds to simulate

/** Returns the production of one unit of each synthetic turbine that has production, by turbine. */
export function readSampleProduction(): ReadonlyMap<string, DataFrame> {
  return productions ??= new Map(sampleSites.flatMap((site) => {
    const climate = simulateClimate(site);
    return site.turbines.flatMap((turbine) => {
      const production = simulateProduction(site, turbine, climate);
      return production
        ? [[
          turbine.id,
          describeFrame(
            buildProductionFrame(production),
            productionColumns[turbine.production!.resolution as "hour" | "month" | "year"],
            {
              operation: "production",
              parameters: { turbine_id: turbine.id },
              sha256: [],
              world: "sample",
              attribution: dataset.attribution,
            },
          ),
        ]]
        : [];
    });
  }));
}
