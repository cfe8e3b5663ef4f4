import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError, LicenceError } from "../../src/api/errors.ts";
import { CDS_URL, findCdsAccess } from "../../src/era5/find_cds_access.ts";

const KEY = "0c5a7c1d-canary-4e6b-9d21-5f0a77aa31c2";

/** Finds the access with this text as `~/.cdsapirc`. */
function findWith(text: string | undefined, variables: Readonly<Record<string, string>> = {}) {
  const folder = Deno.makeTempDirSync();
  try {
    if (text !== undefined) Deno.writeTextFileSync(`${folder}/.cdsapirc`, text);
    return findCdsAccess(new Map(Object.entries({ HOME: folder, ...variables })));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

describe("findCdsAccess()", () => {
  it("reads CDSAPI_KEY, with the address of the store", () => {
    const { url, key } = findWith(undefined, { CDSAPI_KEY: KEY });
    assertEquals([url, key?.reveal()], [CDS_URL, KEY]);
  });

  it("reads ~/.cdsapirc with any spacing, but CDSAPI_URL first", () => {
    const { url, key } = findWith(`url:   https://cds.example.com/api/\nkey :${KEY}\nverify: 0\n`);
    assertEquals([url, key?.reveal()], ["https://cds.example.com/api", KEY]);
    const variables = { CDSAPI_URL: "http://127.0.0.1:9/api" };
    assertEquals(findWith(`key: ${KEY}`, variables).url, "http://127.0.0.1:9/api");
  });

  it("L3: reads an empty field of the file as empty, not as the next line", () => {
    assertThrows(() => findWith("key:\nverify: 0\n"), LicenceError, "its key is missing");
    assertEquals(findWith(`url:\nkey: ${KEY}\r\n`).url, CDS_URL);
    const { key } = findWith(undefined, { CDSAPI_KEY: `${KEY} ` });
    assertEquals(key?.reveal(), KEY);
  });

  it("shows the key nowhere", () => {
    const access = findWith(`key: ${KEY}`);
    assert(!`${Deno.inspect(access)}${JSON.stringify(access)}`.includes(KEY));
  });

  it("states where address and key were read, for messages", () => {
    const { read } = findWith(`url: https://cds.example.com/api\nkey: ${KEY}`);
    assert(read.url.endsWith("cdsapirc") && read.key === read.url, read.url);
    const variables = { CDSAPI_KEY: KEY, CDSAPI_URL: "https://cds.example.com/api" };
    assertEquals(findWith(undefined, variables).read, { url: "CDSAPI_URL", key: "CDSAPI_KEY" });
    assert(findWith(`key: ${KEY}`).read.url.startsWith("CDSAPI_URL or "));
  });

  it("says where to get a key if there is none", () => {
    assertThrows(() => findWith(undefined), LicenceError, "cds.climate.copernicus.eu/profile");
    assertThrows(() => findWith("url: https://cds.example.com/api"), LicenceError, "CDSAPI_KEY");
  });

  it("advises to drop UID: of the old form, in both places, and does not quote it", () => {
    for (
      const find of [
        () => findWith(`key: 12345:${KEY}`),
        () => findWith(undefined, { CDSAPI_KEY: `12345:${KEY}` }),
      ]
    ) {
      const error = assertThrows(find, ConfigurationError, "Delete UID and the colon");
      assert(!error.message.includes(KEY));
    }
  });

  const addresses = [
    ["https://cds.climate.copernicus.eu/api/v2", "the old API"],
    ["http://cds.climate.copernicus.eu/api", "it does not begin with https:"],
    [KEY, "not a URL"],
    ["https://me:secret@cds.climate.copernicus.eu/api", "a user"],
  ];
  for (const [address, problem] of addresses) {
    it(`rejects an address that is ${problem}, and does not quote it`, () => {
      const find = () => findWith(`url: ${address}\nkey: ${KEY}`);
      const { message } = assertThrows(find, ConfigurationError, problem);
      assert(!message.includes(KEY) && !message.includes("secret"));
    });
  }
});
