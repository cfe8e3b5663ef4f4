import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  LicenceError,
  NetworkError,
  NoAccessError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../../src/api/errors.ts";
import { exitCodeOf } from "../../../src/cli/update/update.ts";
import { LostJobError } from "../../../src/era5/cds_errors.ts";
import { DamagedFileError } from "../../../src/disk/files.ts";

const fullDisk = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });

describe("exitCodeOf()", () => {
  const again = [
    new NetworkError("no route"),
    new TimeoutError("two hours"),
    new TooManyRequestsError("wait"),
    new ServiceError("500"),
    new LostJobError("its queue is full", {}, true),
    fullDisk,
  ];
  const person = [
    new NoAccessError("licence not accepted"),
    new LicenceError("no key"),
    new ArgumentError("file missing"),
    new DataFormatError("not as declared"),
    new ConfigurationError("no site"),
    new DamagedFileError("vindkit.sqlite", "it is damaged"),
    new Error("an import that failed", { cause: new DamagedFileError("a.parquet", "it is gone") }),
    new TypeError("a fault of the program"),
  ];
  for (const error of again) {
    it(`tries again after a ${error.name}: ${error.message}`, () => {
      assertEquals(exitCodeOf(error), 75);
    });
  }
  for (const error of person) {
    it(`needs a person after a ${error.name}: ${error.message}`, () => {
      assertEquals(exitCodeOf(error), 78);
    });
  }

  it("retries several failures only if that may help all of them", () => {
    assertEquals(exitCodeOf(new AggregateError([again[0], again[1]])), 75);
    assertEquals(exitCodeOf(new AggregateError([again[0], person[0]])), 78);
  });
});
