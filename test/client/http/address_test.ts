/**
 * Addresses that a download may use.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { judgeAddress, readOrigin } from "../../../src/client/http/address.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";

const OWN = "https://api.example.com/v1";
const FILES = "https://files.example.com";

function findProblem(address: string, ownAddress = OWN, allowed: readonly string[] = []): string {
  const verdict = judgeAddress(address, ownAddress, allowed);
  assert(!verdict.allowed, `allowed: ${address}`);
  return verdict.problem;
}

function sendsKey(address: string, ownAddress = OWN, allowed: readonly string[] = []): boolean {
  const verdict = judgeAddress(address, ownAddress, allowed);
  assert(verdict.allowed, verdict.allowed ? "" : verdict.problem);
  assertEquals(verdict.url.href, new URL(address).href);
  return verdict.withKey;
}

describe("judgeAddress()", () => {
  it("F16 gives the key to the service's own origin, in any spelling", () => {
    assert(sendsKey("https://api.example.com/files/1.zip?token=x"));
    assert(sendsKey("https://API.example.com:443/files/1.zip"));
    assert(sendsKey("http://127.0.0.1:8080/files/1.zip", "http://127.0.0.1:8080/"));
    assert(sendsKey("http://2130706433:8080/files/1.zip", "http://127.0.0.1:8080/"));
  });

  it("F16 gives no key to an origin that the user consented to", () => {
    assertEquals(sendsKey(`${FILES}/1.zip?sig=s`, OWN, [FILES]), false);
    assertEquals(sendsKey("http://127.0.0.1:81/1", OWN, ["http://127.0.0.1:81"]), false);
    assertEquals(sendsKey("https://10.1.2.3/1", OWN, ["https://10.1.2.3"]), false);
  });

  it("F16 refuses every other origin, even of the same host", () => {
    for (
      const address of [
        "https://files.example.com:8443/1.zip",
        "https://x.files.example.com/1.zip",
        "https://files.example.com.evil.example/1.zip",
        "https://files.example.com./1.zip",
        "https://api.example.com.evil.example/1.zip",
        "https://evil.example/https://api.example.com/",
        "https://evil.example\\@api.example.com/",
        "https://api.example.com./1.zip",
      ]
    ) findProblem(address, OWN, [FILES]);
    assertStringIncludes(findProblem("https://api.example.com:8443/"), "another scheme or port");
    assertStringIncludes(
      findProblem("http://api.example.com/"),
      "another scheme or port over plain http",
    );
  });

  it("F16 refuses plain http even to an origin in the list, and does not offer consent", () => {
    const problem = findProblem("http://files.example.com/1.zip", OWN, [
      "http://files.example.com",
    ]);
    assertEquals(
      problem,
      "the address points to files.example.com, another host over plain http, " +
        "not to api.example.com as requested. Use downloadClimate()",
    );
  });

  it("F16 names the host, the reason and a remedy, but no possible secret", () => {
    assertEquals(
      findProblem("https://files.example.com:444/secret-path?token=secret-query#secret-part"),
      "the address points to files.example.com:444, another host, not to api.example.com as requested. " +
        "Add its origin, https://files.example.com:444, to downloadOrigins of connect() " +
        "if you trust it, or use downloadClimate()",
    );
    for (
      const address of [
        "https://secret:secret@evil.example/secret?secret#secret",
        "https://evil.example/secret?secret#secret",
        "secret:secret@evil.example",
        "javascript:secret",
        "secret",
        "https://[secret]/",
      ]
    ) assert(!findProblem(address).includes("secret"), findProblem(address));
  });

  it("F17 refuses every scheme but http and https, even around the own origin", () => {
    const named = ["file:///etc/passwd", "data:text/csv,a", "javascript:alert(1)", "ftp://a.test/"];
    for (const address of [...named, "blob:https://api.example.com/1", "wss://api.example.com/"]) {
      const scheme = address.slice(0, address.indexOf(":") + 1);
      assertEquals(
        findProblem(address, OWN, ["null", "https://api.example.com"]),
        `the address is a ${scheme} address. Use downloadClimate()`,
      );
    }
    // A base address with another scheme does not get the key either.
    findProblem("https://evil.example/", "blob:https://evil.example/1");
    findProblem("file:///a", "file:///b", ["null"]);
    findProblem("https://evil.example/", "no address");
  });

  it("F17 refuses relative addresses", () => {
    for (const address of ["", "/files/1.zip", "1.zip", "//evil.example/1.zip", "?a", "https://"]) {
      assertStringIncludes(findProblem(address), "not a URL with https:// and a host");
    }
  });

  it("F17 refuses a user name or a password, even at the own origin and in the list", () => {
    for (
      const address of [
        "https://api.example.com@evil.example/",
        "https://user@api.example.com/",
        "https://:password@api.example.com/",
        "https://user:password@files.example.com/",
      ]
    ) assertStringIncludes(findProblem(address, OWN, [FILES]), "user name or a password");
  });

  it("F17 refuses hosts of this machine and of private networks, in any spelling", () => {
    for (
      const host of [
        ...["127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "a.localhost."],
        ...["169.254.169.254", "0xa9fea9fe", "[fe80::1]", "10.0.0.1", "192.168.257", "[fc00::1]"],
        ...["100.64.0.1", "0", "[2002:7f00:1::]", "printer.local", "metadata.google.internal"],
        ...["files.example.com.", "8.8.8.8", "notlocalhost.example"],
      ]
    ) {
      assertStringIncludes(
        findProblem(`https://${host}/latest/meta-data`),
        ", another host, not to",
      );
      assertStringIncludes(
        findProblem(`http://${host}/`),
        ", another host over plain http, not to",
      );
    }
  });

  it("F17 shows a look-alike in a form that differs from the real name", () => {
    const alike = "https://api.ex\u0430mple.com/1.zip";
    assertStringIncludes(findProblem(alike), "points to api.xn--exmple-4nf.com, another host");
    findProblem(alike, OWN, ["https://api.example.com"]);
  });

  it("F17 does not show a host that is longer than a name can be", () => {
    const problem = findProblem(`https://${"a".repeat(1_000_000)}.example/`);
    assertStringIncludes(problem, "a host with a name of 1000008 characters");
    assert(problem.length < 300);
  });

  it("F16 F17 never throws, and never gives the key to another origin, for any text", () => {
    const random = new SeededRandom("addresses");
    const pick = <T>(values: readonly T[]): T =>
      values[Math.floor(random.uniform() * values.length)];
    const pieces = [
      ..."/\\:@?#[]%.-*_ \t\n\0\u00ad\ud800",
      ..."ａ。\u0430\u202e",
      ...[
        "http",
        "https",
        "file",
        "blob:",
        "data:",
        "javascript:",
        "://",
        "user:hunter2@",
        ":443",
        ":80",
      ],
      ...[
        "api.example.com",
        "files.example.com",
        "evil.example",
        "localhost",
        "127.0.0.1",
        "[::1]",
      ],
      ...["%40", "%2e", "xn--", "xn--a", "..", "0x7f", ":99999", "\u{1f4a9}", "[::ffff:1.2.3.4]"],
      ...["https://api.example.com", "https://files.example.com"],
    ];
    const origins = ["https://", "https://api.example.com", FILES];
    const text = () =>
      (random.uniform() < 0.5 ? pick(origins) : "") +
      Array.from({ length: Math.floor(random.uniform() * 7) }, () => pick(pieces)).join("");
    let allowed = 0;
    let keys = 0;
    for (let i = 0; i < 20_000; i++) {
      const address = text();
      const base = random.uniform() < 0.8 ? OWN : text();
      const consented = [FILES, text()];
      const verdict = judgeAddress(address, base, consented);
      if (!verdict.allowed) {
        assert(!verdict.problem.includes("hunter2"), verdict.problem);
        continue;
      }
      allowed++;
      const label = JSON.stringify([address, base]);
      assertEquals(verdict.url.href, new URL(address).href, label);
      assertEquals([verdict.url.username, verdict.url.password], ["", ""], label);
      const atHome = new URL(address).origin === URL.parse(base)?.origin;
      assertEquals(verdict.withKey, atHome, label);
      assert(atHome || consented.includes(new URL(address).origin), label);
      if (verdict.withKey) keys++;
    }
    assert(allowed > 500 && keys > 200 && keys < allowed, `${allowed} allowed, ${keys} with key`);
  });
});

describe("readOrigin()", () => {
  it("returns an origin as the URL parser writes it", () => {
    assertEquals(readOrigin("https://files.example.com"), FILES);
    assertEquals(readOrigin(" https://FILES.example.com:443/ "), FILES);
    assertEquals(readOrigin("https://files.example.com:8443"), `${FILES}:8443`);
    assertEquals(readOrigin("https://ex\u0430mple.com"), "https://xn--exmple-4nf.com");
  });

  it("accepts plain http within this machine only", () => {
    for (
      const host of ["localhost:81", "a.localhost", "127.0.0.1:81", "127.255.255.254", "[::1]:81"]
    ) {
      assertEquals(readOrigin(`http://${host}`), `http://${host}`);
    }
    for (
      const host of [
        "127.0.0.1.example.com",
        "notlocalhost",
        "files.example.com",
        "10.0.0.1",
        "[fe80::1]",
        "localhost.example.com",
      ]
    ) {
      assertThrows(
        () => readOrigin(`http://${host}`),
        ConfigurationError,
        `Cannot use ${host} in downloadOrigins: it uses plain http`,
      );
    }
  });

  const refused: [string, string][] = [
    ["files.example.com", "it is not an origin. Give an origin such as https://files.example.com"],
    ["files.example.com:443", "it is not an origin. Give an origin such as"],
    ["https:files.example.com", "it is not an origin. Give an origin such as"],
    ["ftp://files.example.com", "it is not an origin. Give an origin such as"],
    ["", "it is not an origin. Give an origin such as"],
    ["*", "it is not an origin. Give an origin such as"],
    ["https://secret@files.example.com", "a user name or a password"],
    ["https://:secret@files.example.com", "a user name or a password"],
    ["https://files.example.com/secret", "a path, a query or a fragment. Give " + FILES],
    ["https://files.example.com?secret", "a path, a query or a fragment"],
    ["https://files.example.com#secret", "a path, a query or a fragment"],
    ["https://*.example.com", "it contains a *"],
    ["https://files.example.com.", "its name ends with a dot"],
    [`https://${"a".repeat(300)}.example`, "its name is too long"],
  ];
  for (const [text, problem] of refused) {
    it(`refuses "${text.slice(0, 40)}"`, () => {
      const error = assertThrows(() => readOrigin(text), ConfigurationError, problem);
      assert(!error.message.includes("secret"), error.message);
    });
  }

  it("accepts every origin that a problem of judgeAddress() suggests", () => {
    for (const address of ["https://files.example.com./", "https://*.example/", `${FILES}:1/a`]) {
      const offered = /Add its origin, (\S+),/.exec(findProblem(address))?.[1];
      if (offered) assertEquals(sendsKey(address, OWN, [readOrigin(offered)]), false);
      else assertThrows(() => readOrigin(new URL(address).origin), ConfigurationError);
    }
  });
});
