import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../src/api/errors.ts";
import { shareStorage } from "../../src/machines/shared_storage.ts";
import {
  checkStorageAddress,
  formatStorage,
  formatStorageOptions,
  type StorageAddress,
} from "../../src/storage/storage.ts";

const addresses = {
  database: "postgres://me:p%40ss%2Fword@db.example.org:5433/wind?sslmode=require",
  files: "s3://bucket/wind",
};

const shared = shareStorage(addresses);
const displayed = "postgres://me@db.example.org:5433/wind?sslmode=require";

describe("formatStorage()", () => {
  it("is the path of a data directory, or both addresses of a shared storage", () => {
    assertEquals(formatStorage("/data/me@home"), "/data/me@home");
    assertEquals(formatStorage(shared), `${displayed} and s3://bucket/wind`);
    const folder = shareStorage({ ...addresses, files: "/mnt/me@home" });
    assertEquals(formatStorage(folder), `${displayed} and /mnt/me@home`);
  });

  it("shows no secret, even if it is misplaced or not escaped", () => {
    const keys = shareStorage({ ...addresses, files: "s3://KEY:sec/ret@bucket/wind" });
    assertEquals(formatStorage(keys), `${displayed} and s3://bucket/wind`);
    const database = "postgres://me:sec/ret@h/n";
    const { message } = assertThrows(
      () => shareStorage({ ...addresses, database }),
      ConfigurationError,
    );
    assertEquals(message.includes("ret"), false);
  });
});

describe("formatStorageOptions()", () => {
  it("gives the options of a command, without a password", () => {
    assertEquals(formatStorageOptions("/data"), "--data /data");
    assertEquals(
      formatStorageOptions(shared),
      `--database '${displayed}' --files s3://bucket/wind`,
    );
  });
});

describe("checkStorageAddress()", () => {
  it("accepts a path and a shared storage, and names anything else", () => {
    checkStorageAddress("data");
    checkStorageAddress(shared);
    for (
      const [value, words] of [
        [undefined, "nothing"],
        [null, "null"],
        [{ database: addresses.database }, "an object of database"],
        [Promise.resolve("data"), "a Promise: await it"],
      ]
    ) {
      assertThrows(
        () => checkStorageAddress(value as StorageAddress),
        ArgumentError,
        `Cannot open data: the location is ${words}. Give the path of a data directory`,
      );
    }
  });
});
