import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NetworkError } from "../../../src/api/errors.ts";
import { buildNetworkError, ConnectError, TlsError } from "../../../src/client/http/exchange.ts";

const PRIVATE = "https://a.example/apikey?serial_number=S-1&email=a%40example.com";
const SHOWN = "https://a.example/apikey?serial_number=***&email=***";

/** Builds the error of `fetch` in Deno 2.9, whose cause has the details. */
function buildFailure(story: string): TypeError {
  return new TypeError("fetch failed", {
    cause: new Error(`error sending request for url (${PRIVATE}): ${story}`),
  });
}

describe("F1 buildNetworkError()", () => {
  const connects: readonly string[] = [
    "client error (Connect): tcp connect error: Connection refused (os error 111)",
    "client error (Connect): dns error: failed to lookup address information: Name or service not known",
    "client error (Connect): tcp connect error: Network is unreachable (os error 101)",
    "client error (Connect)",
  ];
  for (const story of connects) {
    it(`knows that nothing was sent: ${story}`, () => {
      const error = buildNetworkError(buildFailure(story), SHOWN);
      assertEquals(error.constructor, ConnectError);
      assertEquals(error.url, SHOWN);
    });
  }

  const insecure: readonly string[] = [
    "client error (Connect): invalid peer certificate: UnknownIssuer",
    "client error (Connect): invalid peer certificate: certificate not valid for name",
    "client error (Connect): invalid peer certificate: Expired",
    "client error (Connect): received fatal alert: HandshakeFailure",
    "client error (Connect): tls handshake eof",
    "client error (Connect): received corrupt message of type InvalidContentType",
  ];
  for (const story of insecure) {
    it(`knows that the secure connection failed: ${story}`, () => {
      const error = buildNetworkError(buildFailure(story), SHOWN);
      assertEquals(error.constructor, TlsError);
      assertStringIncludes(error.message, "DENO_CERT");
    });
  }

  const sent: readonly string[] = [
    "client error (SendRequest): connection error: Connection reset by peer (os error 104)",
    "client error (SendRequest): connection closed before message completed",
    "client error (SendRequest): invalid HTTP version parsed",
  ];
  for (const story of sent) {
    it(`does not claim that nothing was sent: ${story}`, () => {
      assertEquals(buildNetworkError(buildFailure(story), SHOWN).constructor, NetworkError);
    });
  }

  it("F21 shows only the address without secrets, whatever the text of the failure", () => {
    const failures: readonly unknown[] = [
      ...[...connects, ...insecure, ...sent].map(buildFailure),
      new TypeError(`error sending request for url (${PRIVATE})`),
      new TypeError(`${PRIVATE} is gone, ask (${PRIVATE}) again`),
      new Error("fetch failed", { cause: new Error(PRIVATE) }),
      new TypeError("error decoding response body"),
    ];
    for (const failure of failures) {
      const error = buildNetworkError(failure, SHOWN);
      assert(error instanceof NetworkError);
      assertStringIncludes(error.message, `Cannot fetch ${SHOWN}: `);
      const output = Deno.inspect(error, { depth: 9 }) + error.message;
      for (const secret of ["S-1", "a%40", "a@"]) assert(!output.includes(secret), output);
    }
  });
});
