import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  buildListenError,
  formatListenerUrl,
  isEverywhere,
} from "../../../src/service/running/listen_address.ts";

describe("formatListenerUrl()", () => {
  it("is a reachable address: IPv6 in brackets, and no wildcard", () => {
    const urls = ["127.0.0.1", "localhost", "::1", "[::1]", "0.0.0.0", "::", "[::]", "fd00::1"]
      .map((hostname) => formatListenerUrl(hostname, 8080));
    assertEquals(urls, [
      "http://127.0.0.1:8080",
      "http://localhost:8080",
      "http://[::1]:8080",
      "http://[::1]:8080",
      "http://127.0.0.1:8080",
      "http://[::1]:8080",
      "http://[::1]:8080",
      "http://[fd00::1]:8080",
    ]);
    for (const url of urls) assertEquals(new URL(url).port, "8080");
  });
});

describe("isEverywhere()", () => {
  it("is true of the wildcard addresses of a machine", () => {
    for (const hostname of ["0.0.0.0", "::", "[::]"]) assertEquals(isEverywhere(hostname), true);
    for (const hostname of ["127.0.0.1", "::1", "toString"]) {
      assertEquals(isEverywhere(hostname), false);
    }
  });
});

describe("buildListenError()", () => {
  it("names address, reason and remedy", () => {
    const cause = new Deno.errors.PermissionDenied("Permission denied (os error 13)");
    const error = buildListenError(cause, "::1", 443);
    assertEquals(
      error.message,
      "Cannot listen on [::1]:443: the system does not allow your user to use this port. " +
        "Choose a port from 1024 up with --port, and put a proxy in front of it",
    );
    assertEquals(error.cause, cause);
  });

  it("H12 lists the permissions of the task if one is missing", () => {
    const missing = new Deno.errors.NotCapable('Requires net access to "192.0.2.1:80"');
    assertEquals(
      buildListenError(missing, "192.0.2.1", 80).message,
      "Cannot listen on 192.0.2.1:80: this program does not have the permission. deno task serve may listen on loopback, " +
        "or with --host 0.0.0.0 on all addresses. For another address, run src/cli/mod.ts serve with --allow-net=ADDRESS",
    );
    const foreign = new Deno.errors.AddrNotAvailable("Cannot assign requested address");
    assertStringIncludes(
      buildListenError(foreign, "192.0.2.1", 80).message,
      "this machine has no such address. Give one of its addresses with --host",
    );
  });

  it("keeps the message of an unknown error", () => {
    assertEquals(
      buildListenError(new Error("no such name"), "x.invalid", 80).message,
      "Cannot listen on x.invalid:80: no such name. Give another address with --host",
    );
  });
});
