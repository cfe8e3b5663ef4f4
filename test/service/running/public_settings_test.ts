import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { readPublicSettings } from "../../../src/service/running/service.ts";

describe("readPublicSettings()", () => {
  it("accepts an address with and without a path, and drops the last slash", () => {
    for (
      const [publicUrl, publicBase] of [
        ["https://wind.example.org", "https://wind.example.org"],
        ["https://wind.example.org/", "https://wind.example.org"],
        ["http://example.org:8080/wind/", "http://example.org:8080/wind"],
      ]
    ) assertEquals(readPublicSettings({ publicUrl }), { publicBase });
    assertEquals(readPublicSettings({}), {});
  });

  for (
    const publicUrl of ["wind", "ftp://a.org", "https://a.org/?key=1", "https://a.org/#there"]
  ) {
    it(`refuses ${publicUrl} as its address, and names it`, () => {
      const { message } = assertThrows(() => readPublicSettings({ publicUrl }), ConfigurationError);
      assertStringIncludes(message, publicUrl);
    });
  }

  it("refuses an address with a user, and does not show the password", () => {
    const publicUrl = "https://ann:s3cret@a.org";
    const { message } = assertThrows(() => readPublicSettings({ publicUrl }), ConfigurationError);
    assertEquals(message.includes("s3cret"), false);
  });

  it("accepts a contact of one line, and refuses an empty or long one, or one with control characters", () => {
    assertEquals(readPublicSettings({ contact: "sales@example.org" }), {
      contact: "sales@example.org",
    });
    for (const contact of ["", " ", "x".repeat(201), "a\nb", "a\u0085b", "a\u007fb"]) {
      assertThrows(
        () => readPublicSettings({ contact }),
        ConfigurationError,
        "Cannot use this contact",
      );
    }
  });
});
