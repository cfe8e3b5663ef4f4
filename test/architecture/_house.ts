/**
 * The plan of the house: which room may import which, and the order of the folders in each. A stranger's map, and what
 * `house_test.ts` holds every import against.
 *
 * @module
 */

/**
 * The rooms below `src/` and what each may import: rooms, and files of the root by their names. Every room may import
 * `std`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  api: [],
  stats: [],
  time: ["api"],
  disk: ["api"],
  home: ["disk"],
  show: ["api"],
  frames: ["api", "disk", "show", "time"],
  screening: ["time", "stats"],
  windindex: ["api", "time", "stats"],
  plots: ["api", "show", "frames", "time", "stats", "disk"],
  analysis: ["api", "show", "frames", "time", "screening", "windindex", "stats"],
  client: ["api", "disk", "home", "show", "frames", "time"],
  report: ["api", "client", "analysis", "plots", "frames", "show", "disk", "time"],
  service: [
    "api",
    "disk",
    "home",
    "show",
    "frames",
    "time",
    "screening",
    "windindex",
    "stats",
    "plots",
  ],
  notebook: ["deno.json", "api", "disk", "show"],
  testing: ["api", "client", "service"],
  cli: [
    "mod.ts",
    "deno.json",
    "api",
    "disk",
    "home",
    "show",
    "time",
    "service",
    "report",
    "notebook",
  ],
  std: [],
};

/**
 * Folders of each room, from the ground up: a folder may import those before it. Files beside the folders are free, as
 * long as no circle of folders and such files arises.
 */
export const shelves: Readonly<Record<string, readonly string[]>> = {
  api: ["columns", "resources", "operations", "openapi"],
  show: ["text", "table", "progress"],
  frames: [
    "csv",
    "archive",
    "typed",
    "cells",
    "storage",
    "production",
    "presets",
    "events",
  ],
  screening: ["shift", "values"],
  windindex: ["climate", "turbine", "index", "scaling", "calibration", "reanalyses", "uncertainty"],
  plots: [
    "drawing",
    "parts",
    "maps",
    "actual_predicted",
    "correlation",
    "index_calendar",
    "index_lines",
    "long_term",
    "performance",
    "references",
    "shortfall",
    "time_series",
    "uncertainty_fan",
    "wind_cycles",
    "wind_rose",
  ],
  analysis: [
    "series",
    "compare_actual",
    "compare_references",
    "check_performance",
    "check_quality",
    "estimate_long_term",
    "explain_index",
    "plan_budget",
    "summarize_fleet",
  ],
  client: ["http", "connection", "cache", "answers", "orders", "sources", "calls"],
  service: [
    "failures",
    "responses",
    "limits",
    "store",
    "jobs",
    "files",
    "licences",
    "fulfilment",
    "faults",
    "operations",
    "import",
    "export",
    "sample",
    "pages",
    "routing",
    "running",
  ],
  report: ["content", "pages", "text"],
  notebook: ["wire", "kernel", "jupyter", "document", "page", "run"],
  cli: ["init", "update"],
};

/** Longest file. */
export const MAX_LINES = 400;

/**
 * Files of `service` that `cli` reaches by their paths: they become rooms with doors of their own, `storage` and
 * `machines`. Each other room that has a door, its `mod.ts`, is reached by it.
 */
export const DOORLESS = [
  "src/service/data_directory.ts",
  "src/service/jobs/",
  "src/service/move_data.ts",
  "src/service/running/open_queue_worker.ts",
  "src/service/storage.ts",
  "src/service/storage_address.ts",
  "src/service/store/",
];
