import type { CardRow } from "../../show/card.ts";
import type { CacheMode, Settings } from "./settings.ts";

const cacheTexts: Readonly<Record<CacheMode, string>> = {
  use: "used where the data are known to be unchanged",
  refresh: "everything is fetched again and stored",
  only: "offline: only what is stored",
};

function formatTarget(target: Settings["target"]): string {
  switch (target.kind) {
    case "sample":
      return "the built-in sample";
    case "own":
      return `own data in ${target.data}`;
    case "live":
      return target.url;
  }
}

function formatKey(target: Settings["target"]): string {
  if (target.kind !== "live") return "not needed";
  return target.key ? "set" : "not set: give VINDKIT_KEY, or key to connect()";
}

/**
 * Builds the rows of a connection's card, without the key. Home folder and folder of the lock are left out, since
 * notebooks are passed on.
 *
 * @param lock Path of its data lock
 */
export function buildConnectionRows(settings: Settings, lock: string | undefined): CardRow[] {
  const { target, cache } = settings;
  const withoutCache = lock ? "stores what the data lock names" : "not used";
  return [
    { label: "Goes to", value: formatTarget(target) },
    { label: "Key", value: formatKey(target) },
    { label: "Cache", value: cache ? cacheTexts[cache] : withoutCache },
    { label: "Data lock", value: lock?.slice(lock.lastIndexOf("/") + 1) ?? "none" },
  ];
}
