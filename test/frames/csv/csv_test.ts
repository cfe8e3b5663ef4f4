import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { NULL_TEXTS } from "../../../src/frames/csv/csv_numbers.ts";
import { readCsv, type ReadCsvOptions } from "../../../src/frames/csv/csv_reader.ts";
import { column, listColumn, utf8 } from "../_text.ts";

const time = column("time", "datetime");
const power = column("power", "f64");
const name = column("name", "utf8");

const read = (
  text: string,
  columns = [time, power],
  options: Partial<ReadCsvOptions> = {},
) => readCsv(utf8(text), columns, { file: "data.csv", timeZone: "UTC", ...options });

const values = (text: string, columns = [power], of = "power") =>
  listColumn(read(text, columns).frame, of);

const refused = (text: string, message: string, columns = [time, power]) =>
  assertThrows(
    () => read(text, columns),
    DataFormatError,
    `Cannot read data.csv: ${message}`,
  );

describe("readCsv()", () => {
  it("reads declared columns by their wire names, in the order of their declaration", () => {
    const speed = column("wind_speed_100", "f64", { wire: "wSpeed.100" });
    const { frame, firstLine } = read(
      "Latitude: 55\nwSpeed.100;time;name\n7.25;2023-05-01T13:00:00Z;A\n",
      [time, speed, name],
    );
    assertEquals<unknown>(frame.toRecords(), [
      { time: new Date("2023-05-01T13:00:00Z"), wind_speed_100: 7.25, name: "A" },
    ]);
    assertEquals(frame.columns, ["time", "wind_speed_100", "name"]);
    assertEquals(firstLine, 3);
  });

  it("gives each declared column its type", () => {
    const columns = [
      time,
      column("day", "date"),
      power,
      column("year", "i32"),
      column("id", "i64"),
      name,
    ];
    const text = "time,day,power,year,id,name\n2023-05-01,2023-05-02,1,2023,9007199254740993,A\n";
    const { frame } = read(text, columns);
    assertEquals(frame.dtypes.map(String), [
      "DataType(Datetime(us,UTC))",
      "DataType(Date)",
      "DataType(Float64)",
      "DataType(Int32)",
      "DataType(Int64)",
      "DataType(String)",
    ]);
    assertEquals(listColumn(frame, "day"), [new Date("2023-05-02")]);
  });

  it("F33 keeps the types if there is only a header", () => {
    const columns = [time, power, column("year", "i32"), name, column("day", "date")];
    const { frame } = read("time,power,year,name,day,odd\n", columns);
    assertEquals(frame.height, 0);
    assertEquals(frame.dtypes.slice(0, 5).map(String), [
      "DataType(Datetime(us,UTC))",
      "DataType(Float64)",
      "DataType(Int32)",
      "DataType(String)",
      "DataType(Date)",
    ]);
  });

  it("F33 reads a float that comes late", () => {
    const powers = values(`power\n${"5\n".repeat(20_000)}0.125\n`);
    assertEquals([powers.length, powers[19_999], powers[20_000]], [20_001, 5, 0.125]);
  });

  it("F33 reads each of the declared texts, and an empty field, as a missing number", () => {
    for (const text of NULL_TEXTS) {
      assertEquals(values(`power,name\n1,a\n${text},b\n3,c\n`), [1, null, 3], `"${text}"`);
    }
    for (const text of ["NaN", "null", ""]) {
      assertEquals(NULL_TEXTS.has(text), true);
    }
  });

  it("F33 keeps -999, because checks of the range find it", () => {
    assertEquals(values("power\n-999\n5\n"), [-999, 5]);
  });

  it("F33 refuses infinite values, by line and column, because they would look like a storm", () => {
    for (const text of ["Inf", "-inf", "Infinity", "1e999"]) {
      refused(`power\n5\n${text}\n`, `line 3, column "power": "${text}" is not a number`, [power]);
    }
  });

  it("reads numbers with signs and exponents", () => {
    assertEquals(values("power\n-1.5\n+2\n1e3\n-2.5E-2\n"), [-1.5, 2, 1000, -0.025]);
  });

  it("reads numbers with spaces on either side, as columns of a fixed width have them", () => {
    assertEquals(values("name;power\na; 5.5\nb;5.5 \nc;  \n"), [5.5, 5.5, null]);
  });

  it("F33 refuses text in a numeric column, by line and column, even far below", () => {
    const row = "2023-05-01,";
    refused(
      `time,power\n${row}1\n${row}broken\n`,
      'line 3, column "power": "broken" is not a number',
    );
    refused(
      `x\ntime,power\n${`${row}1\n`.repeat(10_000)}${row}n.a.\n`,
      'line 10003, column "power": "n.a." is not a number',
    );
  });

  it("names the right line even if a quoted field above takes two", () => {
    // Lines 2 and 3 are one row: the wrong number is on line 4.
    refused('name,power\n"a\nb",1\nc,broken\n', 'line 4, column "power"', [name, power]);
  });

  it("refuses a fraction and a number too large in a column of whole numbers", () => {
    const year = column("year", "i32");
    refused("year\n2020\n2020.5\n", 'line 3, column "year": "2020.5"', [year]);
    refused("year\n3000000000\n", 'line 2, column "year": "3000000000"', [year]);
  });

  it("F31 refuses thousands marks, by line and column", () => {
    for (const text of ["1,234,567", "1,234.5", "1.234,5", "1 234", "1'234"]) {
      refused(`name;power\na;1\nb;${text}\n`, `line 3, column "power": "${text}"`, [name, power]);
    }
  });

  it("F30 gives the same for Windows line ends, a byte order mark and no final line feed", () => {
    const plain = values("power,name\n1.5,a\n,b\n3,\n", [power, name], "power");
    for (
      const text of [
        "power,name\r\n1.5,a\r\n,b\r\n3,\r\n",
        "\ufeffpower,name\n1.5,a\n,b\n3,",
        "power,name\r\n1.5,a\n,b\r\n3,\n\r\n\n",
      ]
    ) {
      assertEquals(values(text, [power, name], "power"), plain, JSON.stringify(text));
      assertEquals(values(text, [power, name], "name"), ["a", "b", null], JSON.stringify(text));
    }
    assertEquals(plain, [1.5, null, 3]);
  });

  it("F32 reads quoted fields with delimiters, quotes and line feeds", () => {
    const text = 'name,power\n"one, two",1\n"say ""hi""",2\n"two\nlines",3\n';
    assertEquals(values(text, [name, power], "name"), ["one, two", 'say "hi"', "two\nlines"]);
    assertEquals(values(text, [name, power]), [1, 2, 3]);
  });

  it("F32 reads a column whose quoted name has the delimiter in it", () => {
    const energy = column("energy", "f64", { wire: "energy, MWh" });
    assertEquals(values('name,"energy, MWh"\na,5\n', [name, energy], "energy"), [5]);
  });

  it("F32 refuses a quote in the middle of a field as a fault of the file", () => {
    assertThrows(() => read('name,power\n5" pipe,1\n6" pipe,2\n', [name, power]), DataFormatError);
  });

  it("F32 refuses ragged rows, a repeated header and missing and duplicate columns", () => {
    refused("time,power\n2023-05-01,1\n2023-05-02\n", "line 3 has 1 fields, but the header has 2");
    refused("time,power\n2023-05-01,1\ntime,power\n", "line 3 repeats the header");
    const texts = column("power", "utf8");
    refused("name,power\na,b\nname,power\n", "line 3 repeats the header", [name, texts]);
    refused(
      "time,energy\n2023-05-01,1\n",
      'no line among the first 2 has the columns "time", "power"',
    );
    refused("time,power,power\n2023-05-01,1,2\n", 'line 1: column "power" is duplicated');
  });

  it("F32 refuses a further column that is called like a declared one in the frame", () => {
    const speed = column("wind_speed", "f64", { wire: "wSpeed" });
    assertThrows(() => read("wSpeed,wind_speed\n1,2\n", [speed]), DataFormatError, "wind_speed");
  });

  it("reads an optional column if it is there", () => {
    const columns = [power, column("year", "i32", { optional: true })];
    assertEquals(read("power\n1\n", columns).frame.columns, ["power"]);
    assertEquals(read("power,year\n1,2020\n", columns).frame.columns, ["power", "year"]);
  });

  it("keeps further columns, as numbers if all are numbers, else as text", () => {
    const { frame } = read("power,count,mark,gap\n1,2,x,\n2,3.5,7,4\n", [power]);
    assertEquals(frame.columns, ["power", "count", "mark", "gap"]);
    assertEquals(listColumn(frame, "count"), [2, 3.5]);
    assertEquals(listColumn(frame, "mark"), ["x", "7"]);
    assertEquals(listColumn(frame, "gap"), [null, 4]);
  });

  it("F33 reads the declared texts as missing numbers in further columns, too", () => {
    for (const text of ["NaN", "null", "NA"]) {
      const { frame } = read(`power,count\n1,2\n2,${text}\n`, [power]);
      assertEquals(listColumn(frame, "count"), [2, null], text);
    }
  });

  it("F35 keeps the digits of a further column with whole numbers beyond 2^53", () => {
    const { frame } = read("power,id\n1,9007199254740993\n", [power]);
    assertEquals(String(frame.getColumn("id").getIndex(0)), "9007199254740993");
  });

  it("leaves further columns out on request", () => {
    assertEquals(read("power,count\n1,2\n", [power], { extra: false }).frame.columns, ["power"]);
  });

  it("reads a part of a larger buffer", () => {
    const buffer = utf8("garbage\xffpower\n1\ngarbage");
    const from = buffer.indexOf("p".charCodeAt(0));
    const { frame } = readCsv(buffer.subarray(from, from + 8), [power], { file: "data.csv" });
    assertEquals(listColumn(frame, "power"), [1]);
  });

  it("F36 requires the zone of stamps without offset", () => {
    assertThrows(
      () => readCsv(utf8("time\n2023-05-01T13:00\n"), [time], { file: "data.csv" }),
      DataFormatError,
      'line 2, column "time": "2023-05-01T13:00" has no offset from UTC',
    );
  });
});
