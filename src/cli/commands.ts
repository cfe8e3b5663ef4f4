import type { Command } from "./command.ts";

/** A command before it is loaded. */
interface CommandEntry {
  /** What it does, in a line. */
  readonly purpose: string;
  /** Loads this command alone: the kernel needs no native library. */
  readonly load: () => Promise<Command>;
}

/** All commands by name. The import of each is literal, so that a package contains them. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  demo: {
    purpose: "goes through the whole main job on the SYNTHETIC sample and writes out/demo",
    load: async () => (await import("./demo.ts")).demo,
  },
  serve: {
    purpose: "serves the API on your own data, or on the sample",
    load: async () => (await import("./serve.ts")).serveData,
  },
  import: {
    purpose: "imports a site: climate, turbines, production",
    load: async () => (await import("./import.ts")).importSite,
  },
  licence: {
    purpose: "adds, lists and revokes licences",
    load: async () => (await import("./licence.ts")).licence,
  },
  backup: {
    purpose: "backs up a data directory, also while it is in use",
    load: async () => (await import("./backup.ts")).backup,
  },
  report: {
    purpose: "writes the monthly report of a fleet as HTML, Markdown and JSON",
    load: async () => (await import("./report.ts")).report,
  },
  "fleet-summary": {
    purpose: "writes the month of a fleet as Parquet, CSV and HTML",
    load: async () => (await import("./fleet_summary.ts")).fleetSummary,
  },
  "long-term": {
    purpose: "estimates the production of a normal year from a short record",
    load: async () => (await import("./long_term.ts")).longTerm,
  },
  notebooks: {
    purpose: "runs notebooks without Jupyter",
    load: async () => (await import("./notebooks.ts")).notebooks,
  },
  kernel: {
    purpose: 'installs the kernel "Vindkit (Deno)" for Jupyter',
    load: async () => (await import("./kernel.ts")).kernel,
  },
};
