/**
 * The plan of the house: imports allowed between rooms, and the order of the folders in each. It is a map for
 * newcomers, and `house_test.ts` checks every import against it.
 *
 * @module
 */

/**
 * The rooms below `src/`, with the rooms and root files each may import. Every room may import `std`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  api: [],
  stats: [],
  time: ["api"],
  disk: ["api"],
  show: ["api"],
  frames: ["api", "disk", "show", "time"],
  screening: ["time", "stats"],
  windindex: ["api", "time", "stats"],
  plots: ["api", "show", "frames", "time", "stats", "disk"],
  analysis: ["api", "show", "frames", "time", "screening", "windindex", "stats"],
  client: ["api", "disk", "show", "frames", "time"],
  era5: ["api", "disk", "show", "frames", "time", "client"],
  report: ["api", "client", "analysis", "plots", "frames", "show", "disk", "time"],
  storage: ["api", "disk", "time"],
  sites: ["api", "disk", "show", "frames", "time", "screening", "windindex", "stats", "storage"],
  sample: ["api", "disk", "frames", "time", "stats", "windindex", "storage", "sites"],
  service: [
    "api",
    "disk",
    "show",
    "frames",
    "time",
    "stats",
    "windindex",
    "plots",
    "storage",
    "sites",
    "sample",
  ],
  machines: ["api", "disk", "show", "frames", "time", "windindex", "storage", "sites", "service"],
  notebook: ["deno.json", "api", "disk", "show"],
  testing: ["show", "client", "service"],
  cli: [
    "mod.ts",
    "deno.json",
    "api",
    "disk",
    "show",
    "time",
    "frames",
    "storage",
    "sites",
    "sample",
    "service",
    "machines",
    "era5",
    "report",
    "notebook",
  ],
  std: [],
};

/**
 * Folders of each room, from the ground up: a folder may import earlier ones. Files directly in a room may import any
 * folder, unless that closes a cycle.
 */
export const shelves: Readonly<Record<string, readonly string[]>> = {
  api: ["columns", "resources", "operations", "openapi"],
  show: ["text", "options", "table"],
  frames: [
    "files",
    "csv",
    "cells",
    "netcdf",
    "origin",
    "storage",
    "production",
    "presets",
    "events",
  ],
  screening: ["shift", "values"],
  windindex: ["climate", "turbine", "index", "scaling", "calibration", "reanalyses", "uncertainty"],
  plots: [
    "drawing",
    "grammar",
    "maps",
    "hours",
    "index",
    "comparison",
    "losses",
  ],
  analysis: [
    "series",
    "compare_actual",
    "compare_references",
    "verdict",
    "check_performance",
    "measure_availability",
    "check_quality",
    "estimate_long_term",
    "explain_index",
    "plan_budget",
    "price_production",
    "explain_budget",
    "prove_index",
    "summarize_fleet",
    "what_if",
  ],
  client: ["http", "connection", "cache", "answers", "orders", "calls"],
  storage: ["failures", "store", "jobs", "files"],
  sites: ["keep", "declaration", "climate", "power_curves", "production", "calibration", "fleet"],
  machines: ["postgres", "s3", "queue", "export"],
  service: [
    "responses",
    "limits",
    "licences",
    "fulfilment",
    "operations",
    "pages",
    "routing",
    "running",
  ],
  report: ["content", "document", "writers"],
  notebook: ["wire", "kernel", "jupyter", "document", "page", "run"],
  cli: ["command", "answers", "init", "update", "data"],
};

/** Longest file. */
export const MAX_LINES = 400;
