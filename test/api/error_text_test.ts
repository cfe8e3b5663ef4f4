import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { errorText, userStack, visibleText } from "../../src/api/error_text.ts";
import { NoDataError, VindkitError } from "../../src/api/errors.ts";

describe("a VindkitError", () => {
  it("shows name and message, then the remedy, as the value of a cell", () => {
    const error = new NoDataError(
      "Cannot get wind indices from https://a.example/wind-index/calibrated/wind_indices/T9: no " +
        'turbine "T9" among those of the licence (400)',
      { hint: "Check the identifier", status: 400 },
    );
    const display = error as unknown as Record<symbol, () => Record<string, string>>;
    const bundle = display[Symbol.for("Jupyter.display")]();
    assertEquals(bundle, {
      "text/plain":
        `NoDataError: Cannot get wind indices from https://a.example/wind-index/calibrated/wind_indices/T9:
  no turbine "T9" among those of the licence (400).
→ Check the identifier`,
    });
  });

  it("keeps the lines of a message", () => {
    const error = { name: "E", message: "first\n  second", hint: undefined };
    assertEquals(errorText(error), "E: first\n  second");
  });

  it("shows no unknown facts", () => {
    const output = Deno.inspect(new VindkitError("Cannot do it", { status: 404 }));
    assert(output.includes("status: 404") && !output.includes("undefined"), output);
  });

  it("F26 escapes characters that would control a terminal", () => {
    const error = new VindkitError("Cannot read \u001b[2J\u202e\r\nline two", { hint: "a\u0007" });
    assertEquals(error.message, "Cannot read \\u001b[2J\\u202e\\r\nline two. a\\u0007");
    assert(error.stack!.includes(error.message));
  });
});

describe("userStack()", () => {
  const message = "Cannot do it:\n    at file:///lib/src/not_a_frame.ts";
  const stack = `NoDataError: ${message}
    at errorOfAnswer (file:///lib/src/client/http/answer_error.ts:63:10)
    at async file:///lib/src/client/turbines.ts:1:1
    at async <anonymous>:1:22
    at file:///home/me/analysis.ts:3:4`;

  it("leaves out the library's frames, and keeps the message", () => {
    assertEquals(
      userStack(stack, message, "file:///lib/src/"),
      `NoDataError: ${message}
    at async <anonymous>:1:22
    at file:///home/me/analysis.ts:3:4`,
    );
  });

  it("is not used outside of a notebook, where the stack is unchanged", () => {
    const make = () => new VindkitError("Cannot do it");
    assert(make().stack!.includes("error_text_test.ts"));
  });
});

describe("visibleText()", () => {
  it("escapes invisible characters, and keeps the joiners of scripts", () => {
    assertEquals(
      visibleText("a\tb\u0000\u2028\ufeff\u{e0041}"),
      "a\\tb\\u0000\\u2028\\ufeff\\u{e0041}",
    );
    assertEquals(visibleText("lone \ud800"), "lone \\ud800");
    assertEquals(visibleText("👩\u200d🔬 می\u200cخواهم æ"), "👩\u200d🔬 می\u200cخواهم æ");
  });
});
