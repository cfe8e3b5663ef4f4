import type { Command, CommandHead } from "./command/command.ts";

/** A command before it is loaded. */
interface CommandEntry extends Omit<CommandHead, "name"> {
  /** Loads only this command, because the kernel needs no native library. */
  readonly load: () => Promise<Command>;
}

/** All commands by name. Each import is literal, so a package contains it. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  demo: {
    purpose: "Runs the whole analysis on the SYNTHETIC sample and writes out/demo/index.html",
    load: async () => (await import("./demo.ts")).demo,
  },
  new: {
    purpose: "Creates a folder for your own scripts: deno.json, a task and a first script",
    load: async () => (await import("./new.ts")).newProject,
  },
  serve: {
    purpose: "Serves the API on your own data, or on the SYNTHETIC sample",
    load: async () => (await import("./data/serve.ts")).serveData,
  },
  init: {
    purpose: "Goes from your files to a first wind index: asks, writes site.json, imports it",
    load: async () => (await import("./init/init.ts")).init,
  },
  import: {
    purpose: "Imports a site: climate, turbines and production, and computes their wind indices",
    load: async () => (await import("./data/import.ts")).importSiteFile,
  },
  prove: {
    purpose:
      "Proves the wind index of a site with its own production: its error, its confidence, and how much data it still needs",
    load: async () => (await import("./answers/prove.ts")).prove,
  },
  update: {
    purpose: "Updates a data directory: new climate and production, new and revised months",
    load: async () => (await import("./update/update.ts")).update,
  },
  work: {
    purpose:
      "Runs a worker for the job queue that machines share; start any number of workers, on any machine",
    load: async () => (await import("./data/work.ts")).work,
  },
  jobs: {
    purpose: "Lists the jobs of the queue, shows one job, and retries dead jobs",
    load: async () => (await import("./data/jobs.ts")).jobs,
  },
  licence: {
    purpose: "Adds, lists and revokes the licences of a data directory",
    load: async () => (await import("./data/licence.ts")).licence,
  },
  backup: {
    purpose: "Backs up a data directory, also while it is in use",
    load: async () => (await import("./data/backup.ts")).backup,
  },
  verify: {
    purpose: "Reads all stored data and names damaged files",
    load: async () => (await import("./data/verify.ts")).verify,
  },
  export: {
    purpose: "Exports wind indices or hours as Parquet for DuckDB, Polars, Spark and others",
    load: async () => (await import("./data/export.ts")).exportTable,
  },
  migrate: {
    purpose: "Creates tables and queue of a shared database, or moves data there and back",
    load: async () => (await import("./data/migrate.ts")).migrate,
  },
  check: {
    purpose:
      "Was it the wind or the turbine? Answers this and other questions for a month, a year or a fleet, as text or JSON",
    load: async () => (await import("./answers/check.ts")).check,
  },
  report: {
    purpose:
      "Writes the monthly report of a fleet as HTML, Markdown and JSON, and as a workbook or PDF",
    load: async () => (await import("./answers/report.ts")).report,
  },
  notebooks: {
    purpose: "Runs notebooks from top to bottom, without Jupyter",
    load: async () => (await import("./notebooks.ts")).notebooks,
  },
  kernel: {
    purpose: 'Installs the kernel "Vindkit (Deno)" for Jupyter',
    load: async () => (await import("./notebooks.ts")).kernel,
  },
};
