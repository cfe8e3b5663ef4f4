import type { z } from "zod";
import { MAX_ATTRIBUTION_HEADER } from "../../frames/reader_limits.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import { DEFAULT_DATASET, SOURCE_DATASETS } from "./default_datasets.ts";

/** Identifiers of turbines in a list, or by which names are given. */
function listIds(given: unknown): string[] {
  if (typeof given !== "object" || given === null) return [];
  const ids: unknown[] = Array.isArray(given) ? given : Object.keys(given);
  return ids.filter((id) => typeof id === "string");
}

/** The first value of a list that another one before it repeats. */
function findRepeated(values: readonly unknown[]): number {
  const seen = new Set();
  return values.findIndex((value) => value !== undefined && seen.size === seen.add(value).size);
}

/**
 * Finds what the parts of a site contradict each other in. It runs beside the checks of the single fields, so that all
 * faults are reported at once: any part may be missing or of another kind.
 */
export function addSiteProblems(
  site: unknown,
  context: z.core.$RefinementCtx,
): void {
  const field = (of: unknown, wanted: string): unknown =>
    typeof of === "object" && of !== null
      ? (of as Readonly<Record<string, unknown>>)[wanted]
      : undefined;
  const entries = (of: unknown, wanted: string): readonly unknown[] => {
    const found = field(of, wanted);
    return Array.isArray(found) ? found : [];
  };
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });

  const datasets = [site, ...entries(site, "other_reanalyses")].map((one) => field(one, "dataset"));
  const sources = [site, ...entries(site, "other_reanalyses")]
    .map((one) => field(field(one, "climate"), "source"));
  const [source] = sources;
  const { service_id: serviceId } = source === "cds" || source === "open-meteo"
    ? SOURCE_DATASETS[source]
    : DEFAULT_DATASET;
  const services = datasets.map((dataset, i) =>
    i === 0 && dataset === undefined ? serviceId : field(dataset, "service_id")
  );
  const again = findRepeated(services);
  if (again !== -1) {
    report(
      ["other_reanalyses", again - 1, "dataset", "service_id"],
      `"${services[again]}" is duplicated. Name all files of a dataset in one climate`,
    );
  }
  const header = datasets.flatMap((dataset) => entries(dataset, "attribution"))
    .map((line) => encodeURIComponent(String(line).toWellFormed())).join(",").length;
  if (header > MAX_ATTRIBUTION_HEADER) {
    report(
      ["dataset", "attribution"],
      `has ${header} bytes as a header, with those of the other reanalyses, more than ` +
        `${MAX_ATTRIBUTION_HEADER}. Shorten it`,
    );
  }

  const ids = entries(site, "turbines").map((turbine) => field(turbine, "id"));
  const twice = findRepeated(ids);
  if (twice !== -1) {
    report(
      ["turbines", twice, "id"],
      `the id "${ids[twice]}" is duplicated. Give each turbine its own`,
    );
  }
  const isEmpty = Array.isArray(field(site, "turbines")) && ids.length === 0;
  if (isEmpty && sources.some((one) => one !== undefined)) {
    report(["turbines"], "is empty. Give one at least: climate is fetched where they are");
  }
  const known = new Set(ids.filter((id) => typeof id === "string"));
  for (const [i, entry] of entries(site, "production").entries()) {
    const column = field(entry, "column");
    if (typeof column !== "string" && (typeof column !== "object" || column === null)) continue;
    const turbines = field(entry, "turbines");
    const of = typeof column === "object" && !Array.isArray(column) ? "column" : "turbines";
    for (const id of listIds(of === "column" ? column : turbines)) {
      if (known.has(id)) continue;
      report(
        ["production", i, of],
        `"${id}" is not the id of a turbine. Use ${listTexts([...known])}` +
          (Array.isArray(turbines)
            ? `, with its name in the file: { "${[...known][0]}": "${id}" }`
            : ""),
      );
    }
    if (of === "column" || ["preset", "turbine"].some((one) => field(entry, one) !== undefined)) {
      continue;
    }
    report(
      ["production", i, "column"],
      'names no turbines. Give "turbine", the column that names that of each row; or a column for ' +
        'each, { "T3": "WTG 03 / Power" }; or move the entry to its turbine',
    );
  }
}
