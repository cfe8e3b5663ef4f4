import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { openCsv, readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { randomNumbers } from "../_random.ts";
import { column, listColumn, utf8 } from "../_text.ts";

const wanted = [column("b", "f64"), column("e", "f64")];
const options = { file: "t.csv", extra: false } as const;
const read = (text: string) => readCsv(utf8(text), wanted, options).frame;
const refused = (text: string, message: string) =>
  assertThrows(() => read(text), DataFormatError, message);

describe("unwanted fields", () => {
  it("may be quoted, with delimiters and line feeds in them, without errors in line numbers", () => {
    const text = 'a,b,c,d,e,f,g\nx,1,,"y,\nz",2,"",q\n"",3,",",,4,,""\n';
    assertEquals(listColumn(read(text), "b"), [1, 3]);
    assertEquals(listColumn(read(text), "e"), [2, 4]);
    refused(`${text}x,5,,,no,,\n`, 'line 5, column "e": "no" is not a number');
  });

  it("are counted: rows of another width are refused by line, with line ends of Windows too", () => {
    for (const end of ["\n", "\r\n"]) {
      const rows = (last: string) => ["a,b,c,d,e,f,g", "x,1,x,x,2,x,x", last, ""].join(end);
      assertEquals(listColumn(read(rows(",3,,,4,,")), "e"), [2, 4]);
      refused(rows(",3,,,4,"), "line 3 has 6 fields, but the header has 7");
      refused(rows(",3,,,4,,,"), "line 3 has 8 fields, but the header has 7");
      refused(rows(",3,"), "line 3 has 3 fields, but the header has 7");
    }
    refused("a,b,c,d,e\n,1,\r,,2\n", "has a carriage return without a line feed");
  });

  it("must not have a NUL, or a quote at the beginning that does not end", () => {
    const far = "a,b,c,d,e\n" + ",1,,,2\n".repeat(800); // the first 4096 bytes are checked before
    refused(`${far},1,\0,,2\n`, "line 802: byte 5613 is NUL, so the file is damaged there");
    refused(`${far},1,\0x,,2\n,,,,\n`, "line 802: byte 5613 is NUL");
    refused(`${far},1\0,,,2\n`, "line 802: byte 5612 is NUL");
    refused(`${far},1,,\0,2`, "byte 5614 is NUL");
    refused('a,b,c,d,e\n,1,"y,,2\n', "a quoted field has no closing quote");
  });

  it("SI10 may have a quote in the middle, as their names may", () => {
    assertEquals(listColumn(read('a,b,c,d,e\n,1,x"y,,2\n,3,12",,4\n'), "e"), [2, 4]);
    assertEquals(listColumn(read('a,b,12",d,e\n,1,x"y"z,"",2\n'), "e"), [2]);
    refused('a,b,c,d,e\n,1"1,,,2\n', "line 2: a field has a quote in the middle");
  });

  it("are as many as a reader of all fields finds, in wide rows of any content (property, seeded)", () => {
    const random = randomNumbers(11);
    const pick = (list: readonly string[]) => list[random(list.length)];
    const plain = ["", "0.25", "NaN", "-12.5", "7", "Run"];
    const oddFields = ["a b", "ø", '"x,y"', '"1;\n2"', '""', "!", "#", " ", '"a""b"', "\t"];
    let read = 0;
    for (let round = 0; round < 150; round++) {
      const width = 20 + random(60);
      const names = Array.from(
        { length: width },
        (_, i) => i === 3 ? "b" : i === width - 6 ? "e" : `n${i}`,
      );
      const [mark, end] = [pick([",", ";", "\t"]), pick(["\n", "\r\n"])];
      const rows = Array.from({ length: 4 }, () => {
        const fields = names.map((name) => {
          if (name === "b" || name === "e") return String(random(1000));
          const field = random(12) === 0 ? pick(oddFields) : pick(plain);
          return field.includes(mark) && !field.startsWith('"') ? "" : field;
        });
        return fields.join(mark);
      });
      const spoiled = random(4);
      const row = rows[2];
      const at = random(row.length);
      if (spoiled === 0) rows[2] = row + mark;
      else if (spoiled === 1) {
        rows[2] = row.slice(0, at) + pick([mark, "\r", '"', "\0", "\n", "x"]) + row.slice(at);
      }
      const bytes = utf8(" ".repeat(round % 4) + [names.join(mark), ...rows, ""].join(end))
        .subarray(round % 4); // words begin at multiples of four
      const outcome = (extra: boolean) => {
        try {
          const { frame } = readCsv(bytes, wanted, { file: "t.csv", extra });
          return [listColumn(frame, "b"), listColumn(frame, "e")];
        } catch (error) {
          assert(error instanceof DataFormatError, String(error));
          return error.message.replace(/byte \d+ is NUL.*|has a NUL.*|column "n.*/, "");
        }
      };
      const [skipped, all] = [outcome(false), outcome(true)];
      if (String(all).includes("a field has a quote in the middle")) continue; // of a field that is read
      if (typeof skipped !== "string") read++;
      assertEquals(skipped, all, JSON.stringify(new TextDecoder().decode(bytes)));
    }
    assert(read > 80, `${read}`);
  });

  it("are counted to the last in rows of ten thousand", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => ["b", "e"][i] ?? `n${i}`);
    const row = names.map((_, i) => i).join(",");
    assertEquals(listColumn(read(`${names.join(",")}\n${row}\n${row}\n`), "e"), [1, 1]);
    refused(
      `${names.join(",")}\n${row}\n${row},\n`,
      "line 3 has 10001 fields, but the header has 10000",
    );
  });

  it("do not change where blocks are cut", () => {
    const rows = Array.from({ length: 50 }, (_, i) => `"q\n${i}",${i},"",x,${2 * i},"a,b",""\n`);
    const bytes = utf8(`a,b,c,d,e,f,g\n${rows.join("")}`);
    for (const size of [40, 64, 1000]) {
      const { frame } = openCsv(wanted, options, size).end(bytes);
      assertEquals(listColumn(frame, "e"), Array.from({ length: 50 }, (_, i) => 2 * i));
    }
  });
});
