import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { showResult } from "../../../src/notebook/kernel/prepared_code.ts";

const isShown = (code: string) =>
  showResult(code).replace('globalThis[Symbol.for("vindkit.shown")]', "SHOW");

describe("NB7 showResult()", () => {
  it("takes the last line if it is an expression", () => {
    assertEquals(isShown("NaN"), "SHOW((NaN))");
    assertEquals(isShown("const a = 5;\n-a;\n"), "const a = 5;\nSHOW((-a));\n");
    assertEquals(isShown("if (a) {\n}\n// why\nfoo"), "if (a) {\n}\n// why\nSHOW((foo))");
    assertEquals(isShown("foo('a;b', \"(\").bar"), "SHOW((foo('a;b', \"(\").bar))");
    assertEquals(isShown("await x"), "SHOW((await x))");
  });

  it("leaves code unchanged if the last line may be anything else", () => {
    for (
      const code of [
        "x = 5\n-0",
        "a\n  .b()",
        "a +\nb",
        "x\nas number",
        "foo(\n1)",
        "const q = {\n a: 1 }",
        "function f() {\n return 1 }",
        "`a\nb`",
        "x // c",
        "/*\nx */",
        "let y = 3",
        "label: for (;;) {}",
        "import('x')",
        "",
      ]
    ) {
      assertEquals(isShown(code), code);
    }
  });
});
