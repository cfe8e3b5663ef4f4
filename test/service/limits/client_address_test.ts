import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readClientAddress } from "../../../src/service/limits/login_throttle.ts";

const info = { remoteAddr: { transport: "tcp", hostname: "192.0.2.7", port: 4711 } } as const;

const forwardedFor = (value: string) =>
  new Request("http://localhost/", { headers: { "x-forwarded-for": value } });

describe("readClientAddress()", () => {
  it("is the connection's, whatever a client claims", () => {
    assertEquals(readClientAddress(forwardedFor("198.51.100.1"), info, false), "192.0.2.7");
    assertEquals(readClientAddress(forwardedFor("198.51.100.1"), {}, false), "nowhere");
  });

  it("is the last address that the proxy has added", () => {
    for (
      const [header, address] of [
        ["198.51.100.1", "198.51.100.1"],
        ["127.0.0.1, 198.51.100.1", "198.51.100.1"],
        ["what a client says,198.51.100.2 ", "198.51.100.2"],
        ["::ffff:198.51.100.3", "198.51.100.3"],
      ]
    ) assertEquals(readClientAddress(forwardedFor(header), info, true), address);
  });

  it("R11: is the 64-bit network of an IPv6 address, which belongs to one client", () => {
    for (
      const [header, network] of [
        ["2001:db8:0:7::1", "2001:db8:0:7::/64"],
        ["2001:DB8:0:7:ffff::9", "2001:db8:0:7::/64"],
        ["2001:db8::1", "2001:db8:0:0::/64"],
        ["::1", "0:0:0:0::/64"],
      ]
    ) assertEquals(readClientAddress(forwardedFor(header), info, true), network);
  });

  it("is the proxy's if the proxy has added no address", () => {
    assertEquals(readClientAddress(new Request("http://localhost/"), info, true), "192.0.2.7");
    for (const header of ["", "unknown", "198.51.100.1, ", "x".repeat(5000), "1".repeat(46)]) {
      assertEquals(readClientAddress(forwardedFor(header), info, true), "192.0.2.7");
    }
  });
});
