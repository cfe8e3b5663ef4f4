import { startProgress } from "../../show/progress.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { formatStorage, openStorage } from "../../storage/mod.ts";
import type { Command } from "../command/command.ts";
import { readStorage, storageOptions } from "../command/storage.ts";
import { claimFiles, listSiteFiles, wantedFiles } from "../../sites/mod.ts";

/** Reads all that is stored, and compares it with its hashes. */
export const verify: Command = {
  forms: ["[--data DIR]"],
  options: storageOptions,
  example: "--data ~/wind",
  notes: [
    "It reads the database and every file to its end, so it takes as long as the disk does. Imports, updates and services " +
    "compare what they read; this alone finds what rots unread. Once a week, at night, is enough.",
    "What is damaged is named, and the code is 1. A damaged file gets the ending .damaged: that of a site comes back by its " +
    "next import, that of an order when its address is opened, all of them from a backup, and a document of the database too.",
  ],
  resume: "Nothing was changed: the same command begins again.",
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
        const found = await files.setAside(name) ? "damaged" : "missing";
        damaged++;
        console.log(
          `${files.path(name)}, ${whats.get(name) ?? "the file of an order"}, is ${found}`,
        );
      }
      progress.advance();
    }
    console.log(
      `Read the database and ${formatCount(names.length, "file")} of ${formatStorage(address)}: ` +
        (damaged === 0 ? "all are whole" : `${formatCount(damaged, "file")} damaged or missing`),
    );
    return damaged === 0 ? 0 : 1;
  },
};
