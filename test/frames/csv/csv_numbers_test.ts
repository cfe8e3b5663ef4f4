import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import type { Column } from "../../../src/api/columns/column.ts";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { randomNumbers } from "../_random.ts";
import { column, listColumn, utf8 } from "../_text.ts";

const power = column("power", "f64");
const energy = column("energy", "f64");

const read = (text: string, columns: readonly Column[] = [power]) =>
  readCsv(utf8(text), columns, { file: "data.csv" }).frame;
const values = (text: string, columns?: readonly Column[], of = "power") =>
  listColumn(read(text, columns), of);
const refused = (text: string, message: string, columns?: readonly Column[]) =>
  assertThrows(
    () => read(text, columns),
    DataFormatError,
    `Cannot read data.csv: ${message}`,
  );

describe("numbers in readCsv()", () => {
  it("F33 are the same as in JavaScript, to the last bit", () => {
    const random = randomNumbers(20);
    const digits = (count: number) => Array.from({ length: count }, () => random(10)).join("");
    const texts = Array.from({ length: 20_000 }, () => {
      const sign = ["", "-", "+"][random(3)];
      const integer = digits(random(12));
      const fraction = random(3) > 0 || integer === "" ? `.${digits(1 + random(12))}` : "";
      const exponent = random(10) === 0 ? `e${random(2) ? "-" : ""}${random(30)}` : "";
      return sign + integer + fraction + exponent;
    });
    texts.push("9007199254740993", "9007199254740991", "0.1", "5e-324", "1.7976931348623157e308");
    texts.push("0.30000000000000004", "123456789012345678901234567890", "-0", "5.", ".5");
    assertEquals(values(`power\n${texts.join("\n")}\n`), texts.map(Number));
  });

  it("F33 reads whole numbers written as floats, as programs do for columns with gaps", () => {
    const year = column("year", "i32");
    assertEquals(values("year,x\n2020.0,1\n,2\n2021,3\n", [year], "year"), [2020, null, 2021]);
    assertEquals(String(read("year\n2020.0\n", [year]).dtypes[0]), "DataType(Int32)");
    refused(
      "year\n2020\n-2147483649\n",
      'line 3, column "year": "-2147483649" is not a 32-bit integer',
      [year],
    );
  });

  it("F35 reads whole numbers of 64 bits to the last digit, and refuses larger ones", () => {
    const id = column("id", "i64");
    const { frame } = readCsv(utf8("id,x\n9007199254740993,1\n,2\n-5,3\n"), [id], { file: "x" });
    assertEquals(frame.getColumn("id").cast(pl.Utf8).toArray() as unknown[], [
      "9007199254740993",
      null,
      "-5",
    ]);
    refused("id\n9223372036854775808\n", 'line 2, column "id": "9223372036854775808" is', [id]);
    refused("id\n5.5\n", 'line 2, column "id": "5.5" is not a 64-bit integer', [id]);
  });

  it("F33 refuses numbers in the notations of programming languages", () => {
    for (const text of ["0x10", "1_000", "1e", "--5", "+", "5-", "1.2.3", "٣", "1e5e5", "0b1"]) {
      refused(`power\n${text}\n`, `line 2, column "power": "${text}" is not a number`);
    }
  });

  it("F32 reads numbers in quotes, and refuses quotes that hold more", () => {
    assertEquals(values('power,x\n"7.5","2"\n"-1",""\n'), [7.5, -1]);
    refused('power,x\n"5,,",1\n', 'line 2, column "power": "5,," is not a number');
    refused(
      'power,x\n"5"5,1\n',
      "line 2: a field continues after its closing quote. Double the quotes",
    );
  });

  it("F33 reads -999 and -9999 as missing if the declared range excludes them", () => {
    const speed = column("power", "f64", { range: [0, 75] });
    const text = "power\n-999\n-999.0\n-9999\n5\n-999.00\n-9999.0\n";
    assertEquals(values(text, [speed]), [null, null, null, 5, null, null]);
    const deep = column("power", "f64", { range: [-5000, 0] });
    assertEquals(values("power\n-999\n-9999\n", [deep]), [-999, null]);
    assertEquals(values("power;x\n-999,0;1\n0,5;2\n", [speed]), [null, 0.5]);
    // Others stay: checks of the range find them.
    assertEquals(values("power\n-998\n-99\n999\n", [speed]), [-998, -99, 999]);
  });
});

describe("decimal marks in readCsv()", () => {
  for (const [mark, delimiter] of [["semicolon", ";"], ["tab", "\t"]]) {
    it(`F31 a decimal comma is read if the delimiter is a ${mark}`, () => {
      const text = "name;power\na;7,25\nb;-0,5\nc;12\nd;\ne;1,5e3\nf;,5\n".replaceAll(
        ";",
        delimiter,
      );
      assertEquals(values(text), [7.25, -0.5, 12, null, 1500, 0.5]);
    });
  }

  it("F31 a comma in quotes is not a decimal mark if commas separate the fields", () => {
    refused('power,x\n"7,25",1\n', 'line 2, column "power": "7,25" is not a number');
  });

  it("F31 refuses a comma that may be a thousands mark, by line and column", () => {
    refused(
      "name;power\na;5\nb;1,234\n",
      'line 3, column "power": "1,234" may be 1.234 or 1234: the other numbers do not show which. ' +
        "Use a decimal point and no thousands mark",
    );
  });

  for (const proof of ["12,5", "0,123", "1234,567", "1,2345", "-0,5", "1,234e2"]) {
    it(`F31 ${proof} shows that the comma is a decimal mark, above and below and in other columns`, () => {
      const value = Number(proof.replace(",", "."));
      assertEquals(
        values(
          `power;x\n1,234\n${proof}\n`.replaceAll("\n", ";1\n").replace("power;x;1", "power;x"),
        ),
        [1.234, value],
      );
      assertEquals(values(`power;energy\n1,234;${proof}\n`, [power, energy]), [1.234]);
      assertEquals(values(`power;energy\n1;${proof}\n1,234;1\n`, [power, energy]), [1, 1.234]);
    });
  }

  it("F31 the declared range of a column shows it, if thousands are outside of it", () => {
    const speed = column("power", "f64", { range: [0, 75] });
    assertEquals(values("power;x\n1,234;1\n", [speed]), [1.234]);
    const wide = column("power", "f64", { range: [0, null] });
    refused("power;x\n1,234;1\n", 'line 2, column "power": "1,234" may be', [wide]);
  });

  it("F31 refuses points and commas in one file, naming both lines", () => {
    refused(
      "power;energy\n1,5;2\n3;2.5\n",
      'line 3, column "energy": "2.5" has a different decimal mark from "1,5" in line 2. Use one decimal mark',
      [power, energy],
    );
    refused(
      "power\tx\n2.5\t1\n1,234\t1\n",
      'line 3, column "power": "1,234" has a different decimal mark from "2.5" in line 2',
    );
  });

  it("F31 refuses both marks in one number, and says what to write", () => {
    for (const text of ["1.234,5", "1,234.5", "1 234", "1'234", "1,234,567", "1.234.567"]) {
      refused(
        `name;power\na;1\nb;${text}\n`,
        `line 3, column "power": "${text}" is not a number. Write numbers without thousands marks`,
      );
    }
  });

  it("F31 reads decimal commas of further columns if they are unambiguous, else keeps the text", () => {
    const more = (text: string) => values(text, [power], "more");
    assertEquals(more("power;more\n1;2,5\n2;3\n"), [2.5, 3]);
    assertEquals(more("power;more\n0,5;1,234\n"), [1.234]); // the declared column shows it
    assertEquals(more("power;more\n1;1,234\n"), ["1,234"]);
    assertEquals(more("power;more\n0,5;1.234\n"), ["1.234"]); // a point where commas are decimal
    assertEquals(more("power;more\n1;2,5\n2;2.5\n"), ["2,5", "2.5"]);
    assertEquals(more("power;more\n1.5;2.5\n"), [2.5]);
  });
});
