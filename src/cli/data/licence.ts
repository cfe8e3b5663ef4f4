import {
  addLicence,
  keyTable,
  licenceTable,
  listKeys,
  listLicences,
  revokeKey,
  revokeLicence,
} from "../../service/mod.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { formatStorage, type StorageAddress } from "../../storage/mod.ts";
import type { Arguments, Command } from "../command/command.ts";
import { printSecret } from "../command/arguments.ts";
import { readStorage, storageOptions } from "../command/storage.ts";

function readList(text: string | undefined): string[] | undefined {
  return text?.split(",").map((name) => name.trim()).filter((name, _, all) =>
    all.length > 1 || name !== ""
  );
}

async function addAndPrint(data: StorageAddress, { text, flag, rest }: Arguments): Promise<void> {
  const [, serialNumber, email] = rest;
  const { licence, replaced, key } = await addLicence(data, {
    serialNumber,
    email,
    expires: text("expires"),
    turbines: readList(text("turbines")),
    datasets: readList(text("datasets")),
  }, { replace: flag("replace"), key: !flag("no-key") });
  console.log(`${replaced ? "Replaced" : "Added"} in ${formatStorage(data)}:\n`);
  const keys = (await listKeys(data, serialNumber)).length;
  console.log(licenceTable([{ licence, keys }]));
  if (key !== undefined) printSecret(`\nIts key, shown only once: ${key}`);
}

/** Adds, lists and revokes licences. */
export const licence: Command = {
  forms: [
    "add SERIAL EMAIL [OPTIONS]",
    "list [OPTIONS]",
    "keys SERIAL [OPTIONS]",
    "revoke SERIAL [OPTIONS]",
    "revoke-key SERIAL KEY [OPTIONS]",
  ],
  arguments: {
    add:
      "adds a licence and prints its first key once; with SERIAL and EMAIL, more keys can be requested at /apikey",
    list: "shows all licences and how many keys each has",
    keys:
      "shows the keys of a licence: name, when and how issued, end date; never shows a key itself",
    revoke:
      "ends a licence at once, with all its keys, orders and download addresses. The licence " +
      '"local" belongs to the owner of the data directory; only its keys end',
    "revoke-key": "ends one key at once; KEY is its name, or the first characters of its name",
  },
  options: {
    expires: {
      value: "DAY",
      about: "last day of validity, YYYY-MM-DD (default: no end)",
    },
    turbines: {
      value: "IDS",
      about: "turbines covered, such as T1,T2; '' for none (default: all, including future ones)",
    },
    datasets: {
      value: "IDS",
      about: "datasets covered, such as era5; '' for none (default: all, including future ones)",
    },
    replace: { about: "replaces the licence with this serial number; its keys stay valid" },
    "no-key": { about: "does not issue a key" },
    ...storageOptions,
  },
  example: "add ACME-1 wind@example.org --turbines T1,T2 --data ~/wind",
  notes: ["A running service applies the change at once."],
  async run(args) {
    const data = readStorage(args.text);
    const [action, serialNumber, key] = args.rest;
    if (action === "add") return await addAndPrint(data, args);
    if (action === "list") return console.log(licenceTable(await listLicences(data)));
    if (action === "keys") return console.log(keyTable(await listKeys(data, serialNumber)));
    if (action === "revoke-key") {
      await revokeKey(data, serialNumber, key);
      return console.log(`Revoked the key ${key} of ${serialNumber} in ${formatStorage(data)}`);
    }
    const keys = await revokeLicence(data, serialNumber);
    const ended = formatCount(keys, "key");
    console.log(`Revoked ${serialNumber} in ${formatStorage(data)}: ${ended} ended`);
  },
};
