import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import {
  isPostgresAddress,
  parsePostgresAddress,
} from "../../../src/machines/postgres/postgres_address.ts";

describe("isPostgresAddress()", () => {
  it("tells an address from a path", () => {
    const addresses = ["postgres://h/n", "postgresql:///n", "/data/vindkit.sqlite", "postgres"];
    assertEquals(addresses.map(isPostgresAddress), [true, true, false, false]);
  });
});

describe("parsePostgresAddress()", () => {
  it("reads escaped characters, and shows all but the password", () => {
    const { safeAddress, settings } = parsePostgresAddress(
      "postgres://a%40b:p%40ss%2Fword@[::1]:5433/wind%20index?sslmode=require",
    );
    assertEquals(safeAddress, "postgres://a%40b@[::1]:5433/wind%20index?sslmode=require");
    const { user, password, host, port, database, ssl } = settings;
    assertEquals([user, password, host, port, database, ssl], [
      ...["a@b", "p@ss/word", "::1", 5433, "wind index", { rejectUnauthorized: false }],
    ]);
  });

  it("leaves missing parts to the usual variables, and accepts a folder of sockets", () => {
    const { settings } = parsePostgresAddress("postgres:///vindkit?host=/run/postgresql");
    assertEquals(settings, {
      user: undefined,
      password: undefined,
      host: "/run/postgresql",
      port: undefined,
      database: "vindkit",
    });
  });

  for (
    const [label, address] of Object.entries({
      "another scheme": "mysql://me:secret@h/n",
      "a password with @ and /": "postgres://me:12/secret@h/n",
      "a password with #": "postgres://me:12#secret@h/n",
      "a password with ?": "postgres://me:12?secret@h/n",
      "a password with %": "postgres://me:100%secret@h/n",
      "a user with %": "postgres://100%:secret@h/n",
      "a name with %": "postgres://me:secret@h/100%",
      "a port that is none": "postgres://me:secret@h:x/n",
      "an unknown parameter": "postgres://me:secret@h/n?options=secret",
    })
  ) {
    it(`refuses ${label}, and shows no part of the address`, () => {
      const { message } = assertThrows(() => parsePostgresAddress(address), ConfigurationError);
      assertMatch(message, /^Cannot read the address of the database/);
      assertEquals(message.includes("secret"), false);
    });
  }

  it("refuses an unknown sslmode and missing certificates", () => {
    const at = (rest: string) => () => parsePostgresAddress(`postgres://me:secret@h/n?${rest}`);
    for (
      const [query, problem] of [
        ["sslmode=prefer", "Use disable, require or verify-full"],
        ["sslmode=verify-full&sslrootcert=/nowhere.pem", "Vindkit cannot read its sslrootcert"],
      ]
    ) {
      const { message } = assertThrows(at(query), ConfigurationError, problem);
      assertEquals(message.includes("secret"), false);
    }
  });
});
