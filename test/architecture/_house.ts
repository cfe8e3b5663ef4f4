/**
 * The plan of the house: which room may import which, and the order of the folders in each. A stranger's map, and what
 * `house_test.ts` holds every import against.
 *
 * @module
 */

/** The rooms below `src/` and the rooms that each may import; every room may import `std`. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  api: [],
  stats: [],
  time: ["api"],
  disk: ["api"],
  home: ["disk"],
  show: ["api"],
  frames: ["api", "disk", "show", "time"],
  quality: ["time", "stats"],
  windindex: ["api", "time", "stats"],
  plots: ["api", "show", "frames", "time", "stats", "disk"],
  analysis: ["api", "show", "frames", "time", "quality", "windindex", "stats"],
  client: ["api", "disk", "home", "show", "frames", "time"],
  report: ["api", "client", "analysis", "plots", "frames", "show", "disk", "time"],
  service: [
    "api",
    "disk",
    "home",
    "show",
    "frames",
    "time",
    "quality",
    "windindex",
    "stats",
    "plots",
  ],
  notebook: ["api", "disk", "show"],
  testing: ["api", "client", "service"],
  std: [],
};

/**
 * Folders of each room, from the ground up: a folder may import those before it. Files beside the folders are free, as
 * long as no circle of folders and such files arises.
 */
export const shelves: Readonly<Record<string, readonly string[]>> = {
  service: ["store", "answers", "import", "sample", "pages"],
  analysis: ["budget", "explanation", "long_term", "performance", "quality", "references"],
};

/** Longest file. */
export const MAX_LINES = 400;
