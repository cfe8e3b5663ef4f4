import { startProgress } from "../../show/progress.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { formatStorage, openStorage } from "../../storage/mod.ts";
import type { Command } from "../command/command.ts";
import { readStorage, storageOptions } from "../command/storage.ts";
import { claimFiles, listSiteFiles, wantedFiles } from "../../sites/mod.ts";

/** Reads all stored files, and compares them with their hashes. */
export const verify: Command = {
  forms: ["[--data DIR]"],
  options: storageOptions,
  example: "--data ~/wind",
  notes: [
    "The command reads the whole database and every file, so its speed depends on the disk. Imports, updates and services check " +
    "only the data they read; this command also finds damage in unused files. Run it once a week, at night.",
    "The command names all damage, and the exit code is then 1. It adds .damaged to the name of a damaged file. The next import " +
    "restores the file of a site. The next download of an order restores its file. Restore damaged documents of the database from a backup, which also has all files.",
  ],
  resume: "Stored data are unchanged. Run the same command to start again.",
  async run({ text, signal }) {
    const address = readStorage(text);
    await using storage = await openStorage(address);
    const { store, files } = storage;
    await store.snapshot(() => Promise.resolve(signal.throwIfAborted()));
    const whats = new Map(
      (await listSiteFiles(store.documents)).map(({ name, what }) => [name, what]),
    );
    const names = await wantedFiles(store, await store.now());
    let damaged = 0;
    using progress = startProgress("Files", { total: names.length, unit: "files" });
    for (const name of names) {
      signal.throwIfAborted();
      if (!await files.isSound(name)) {
        await claimFiles(store, files);
        const state = await files.setAside(name) ? "damaged" : "missing";
        damaged++;
        console.log(
          `${files.path(name)}, ${whats.get(name) ?? "the file of an order"}, is ${state}`,
        );
      }
      progress.advance();
    }
    console.log(
      `Read the database and ${formatCount(names.length, "file")} of ${formatStorage(address)}: ` +
        (damaged === 0 ? "all are intact" : `${formatCount(damaged, "file")} damaged or missing`),
    );
    return damaged === 0 ? 0 : 1;
  },
};
