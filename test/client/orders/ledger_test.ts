import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { ArgumentError, ConfigurationError, OrderUncertainError } from "../../../src/api/errors.ts";
import { Ledger } from "../../../src/client/orders/ledger.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { placeOrder } from "../../../src/client/orders/place_order.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { CANARY, type Handler, neverAnswer, withServer } from "../_local_server.ts";

const PLACE = "https://api.example";
const parameters = {
  service_id: "era5",
  lat: 55.5,
  lon: 7.75,
  start_year: 2020,
  end_year: 2021,
  filetype: "zipcsv",
};

async function withHome(body: (home: string) => void | Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await body(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Runs SQL on the file of the ledger directly. */
function tamper(home: string, sql: string): void {
  const database = new DatabaseSync(`${home}/orders.db`);
  database.exec(sql);
  database.close();
}

describe("Ledger", () => {
  it("finds the open order of a place and its parameters", async () => {
    await withHome((home) => {
      const ledger = new Ledger(home);
      assertEquals(ledger.findOpen(PLACE, parameters), undefined);
      const { entry } = ledger.begin(PLACE, parameters, false);
      assertEquals(ledger.findOpen(PLACE, parameters)?.entry, entry.entry);
      assertEquals(ledger.findOpen("https://other.example", parameters), undefined);
      ledger.note(entry.entry, { state: "delivered" });
      assertEquals(ledger.findOpen(PLACE, parameters), undefined);
    });
  });

  it("H12 is readable only for its owner, like the files that SQLite puts next to it", () =>
    withHome((home) => {
      const modes = () =>
        [...Deno.readDirSync(home)].map(({ name }) =>
          Deno.statSync(`${home}/${name}`).mode! & 0o777
        );
      new Ledger(home).begin(PLACE, parameters, false);
      assertEquals(modes(), [0o600]);
      const database = new DatabaseSync(`${home}/orders.db`);
      database.exec("PRAGMA journal_mode = WAL; UPDATE orders SET status = 'x'");
      assertEquals(modes(), [0o600, 0o600, 0o600]);
      database.close();
    }));

  it("H12 F60 refuses a link in its place, and writes nothing to its target", () =>
    withHome((home) => {
      Deno.mkdirSync(`${home}/mine`);
      Deno.symlinkSync(`${home}/other.db`, `${home}/mine/orders.db`);
      const begin = () => new Ledger(`${home}/mine`).begin(PLACE, parameters, false);
      const { message } = assertThrows(begin, ConfigurationError, "it is a symbolic link");
      assertStringIncludes(message, `${home}/mine/orders.db`);
      assertEquals([...Deno.readDirSync(home)].map(({ name }) => name), ["mine"]);
    }));

  it("F11 records an order, which another process can see", () =>
    withHome((home) => {
      const { entry, joined } = new Ledger(home).begin(PLACE, parameters, false);
      assertEquals([joined, entry.state, entry.orderId, entry.status], [
        false,
        "sent",
        null,
        null,
      ]);
      assertEquals(entry.sentAt, entry.changedAt);
      assertEquals(new Ledger(home).listEntries(), [entry]);
    }));

  it("F11 finds the open order of the same parameters, in any order of their names", () =>
    withHome((home) => {
      const first = new Ledger(home).begin(PLACE, parameters, false);
      const turned = Object.fromEntries(Object.entries(parameters).reverse());
      const again = new Ledger(home).begin(PLACE, turned, false);
      assertEquals([again.joined, again.entry], [true, first.entry]);
    }));

  it("F11 joins an order that was placed, too", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      const { entry } = ledger.begin(PLACE, parameters, false);
      ledger.note(entry.entry, { state: "placed", orderId: "o-1" });
      const again = ledger.begin(PLACE, parameters, false);
      assertEquals([again.joined, again.entry.orderId, again.entry.state], [true, "o-1", "placed"]);
    }));

  it("treats another place, dataset, year or file type as another order", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      const others = [
        [PLACE, parameters],
        ["sample", parameters],
        [PLACE, { ...parameters, service_id: "merra2" }],
        [PLACE, { ...parameters, end_year: 2022 }],
        [PLACE, { ...parameters, filetype: "csv" }],
        [PLACE, { ...parameters, lat: 55.50001 }],
      ] as const;
      for (const [place, values] of others) {
        assertEquals(ledger.begin(place, values, false).joined, false);
      }
      assertEquals(ledger.listEntries().map(({ entry }) => entry), [1, 2, 3, 4, 5, 6]);
    }));

  for (const state of ["delivered", "refused", "failed", "forgotten"] as const) {
    it(`sends an order again that is ${state}`, () =>
      withHome((home) => {
        const ledger = new Ledger(home);
        const { entry } = ledger.begin(PLACE, parameters, false);
        ledger.note(entry.entry, { state });
        const again = ledger.begin(PLACE, parameters, false);
        assertEquals([again.joined, again.entry.entry], [false, 2]);
      }));
  }

  it("F11 replaces an open order by a repeated one", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      ledger.begin(PLACE, parameters, false);
      const again = ledger.begin(PLACE, parameters, true);
      assertEquals(again.joined, false);
      assertEquals(ledger.listEntries().map(({ state }) => state), ["repeated", "sent"]);
    }));

  it("F11 keeps the uncertain order if the repeated one cannot be recorded", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      ledger.begin(PLACE, parameters, false);
      tamper(
        home,
        "CREATE TRIGGER full BEFORE INSERT ON orders BEGIN SELECT RAISE(FAIL, 'disk is full'); END",
      );
      assertThrows(() => ledger.begin(PLACE, parameters, true), ConfigurationError, "disk is full");
      assertEquals(ledger.listEntries().map(({ state }) => state), ["sent"]);
    }));

  it("notes changes, and keeps the other fields", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      const { entry } = ledger.begin(PLACE, parameters, false);
      ledger.note(entry.entry, { state: "placed", orderId: "o-1" });
      ledger.note(entry.entry, { status: "in the queue" });
      const [listed] = ledger.listEntries();
      assertEquals(listed, {
        ...entry,
        state: "placed",
        orderId: "o-1",
        status: "in the queue",
        changedAt: listed.changedAt,
      });
      assert(listed.changedAt >= entry.changedAt);
    }));

  it("finds the newest order of an identifier, only at its own place", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      for (const repeat of [false, true]) {
        const { entry } = ledger.begin(PLACE, parameters, repeat);
        ledger.note(entry.entry, { orderId: "o-1" });
      }
      assertEquals(ledger.find(PLACE, "o-1")?.entry, 2);
      assertEquals(ledger.find("sample", "o-1"), undefined);
      assertEquals(ledger.find(PLACE, "o-2"), undefined);
    }));
});

describe("F11 with a ledger that cannot be written, no order is sent", () => {
  const spoilt: Readonly<Record<string, (home: string) => Promise<void> | void>> = {
    "a file that is not a database": (home) =>
      Deno.writeTextFile(`${home}/orders.db`, "x".repeat(999)),
    "a folder in its place": (home) => Deno.mkdir(`${home}/orders.db`),
    "a table of another version": (home) => tamper(home, "CREATE TABLE orders (id TEXT)"),
    "a database that cannot be written to": (home) => {
      new Ledger(home).listEntries();
      tamper(
        home,
        "CREATE TRIGGER no BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'readonly'); END",
      );
    },
  };
  const order = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
  for (const [label, spoil] of Object.entries(spoilt)) {
    it(`such as ${label}`, async () => {
      await withServer(() => Response.json("o-1"), async ({ connection, home, seen }) => {
        await spoil(home);
        const error = await assertRejects(
          () => placeOrder("era5", { ...order, connection }),
          ConfigurationError,
          `${home}/orders.db`,
        );
        assertStringIncludes(error.message, "VINDKIT_HOME");
        assertEquals(seen, []);
      });
    });
  }

  it("such as a home folder that cannot be made", async () => {
    await withServer(() => Response.json("o-1"), async ({ url, seen }) => {
      const connection = connect({ url, key: CANARY, home: "/dev/null/home" });
      await assertRejects(() => placeOrder("era5", { ...order, connection }), ConfigurationError);
      assertEquals(seen, []);
    });
  });
});

describe("F11 between processes", () => {
  const order = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
  const root = new URL("../../../", import.meta.url);

  /** Starts a process that places the order and prints the result. */
  async function startChild(url: string, home: string): Promise<Deno.ChildProcess> {
    const script = `${home}/child.ts`;
    await Deno.writeTextFile(
      script,
      `import { connect } from "${new URL("src/client/connection/connection.ts", root)}";
      import { placeOrder } from "${new URL("src/client/orders/place_order.ts", root)}";
      const connection = connect(${JSON.stringify({ url, key: CANARY, home })});
      const order = { ...${JSON.stringify(order)}, connection };
      console.log(await placeOrder("era5", order).then(({ id }) => id, ({ name }) => name));`,
    );
    const config = new URL("deno.json", root).pathname;
    return new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        `--config=${config}`,
        "--allow-ffi",
        "--allow-sys=cpus,hostname,networkInterfaces",
        "--allow-read",
        "--allow-write",
        "--allow-env",
        "--allow-net=127.0.0.1",
        script,
      ],
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
  }

  async function readOutput(child: Deno.ChildProcess): Promise<string> {
    return new TextDecoder().decode((await child.output()).stdout).trim();
  }

  it("two that place the same order at the same time send one request", async () => {
    const one = Promise.withResolvers<void>();
    const handler: Handler = async (_, number) => {
      if (number > 1) one.resolve();
      await one.promise; // the answer comes after the other process has ended
      return Response.json("o-1");
    };
    await withServer(handler, async ({ url, home, seen, connection }) => {
      const children = [await startChild(url, home), await startChild(url, home)];
      const ends = children.map(async (child) => {
        const words = await readOutput(child);
        one.resolve();
        return words;
      });
      assertEquals((await Promise.all(ends)).sort(), ["OrderUncertainError", "o-1"]);
      assertEquals(seen.length, 1);
      assertEquals((await placeOrder("era5", { ...order, connection })).id, "o-1");
      assertEquals(seen.length, 1);
    });
  });

  it("an order stays uncertain if the process is killed before its answer", async () => {
    const requested = Promise.withResolvers<void>();
    const handler: Handler = (request) => {
      requested.resolve();
      return neverAnswer(request);
    };
    await withServer(handler, async ({ url, home, seen, connection }) => {
      const child = await startChild(url, home);
      await requested.promise;
      child.kill("SIGKILL");
      assertEquals(await readOutput(child), "");
      const call = () => placeOrder("era5", { ...order, connection });
      await assertRejects(call, OrderUncertainError);
      assertEquals([seen.length, new Ledger(home).listEntries()[0].state], [1, "sent"]);
    }, { headersTimeout: 500 });
  });
});

describe("orders()", () => {
  const types = [
    "Int32",
    "String",
    "String",
    "Float64",
    "Float64",
    "Int32",
    "Int32",
    "String",
    "String",
    "String",
    "String",
    "Datetime(us,UTC)",
  ];
  const names = [
    "entry",
    "service",
    "dataset",
    "latitude",
    "longitude",
    "start_year",
    "end_year",
    "file_type",
    "order_id",
    "state",
    "status",
    "sent_at",
  ];

  /** A connection without a server: nothing may be sent. */
  function idle(home: string) {
    return connect({ url: PLACE, key: CANARY, home });
  }

  it("has its columns and their types if nothing was ordered yet", () =>
    withHome((home) => {
      const frame = orders({ connection: idle(home) });
      assertEquals([frame.height, frame.columns], [0, names]);
      assertEquals(typesOf(frame), types);
    }));

  it("lists every order in any state, with the same types", () =>
    withHome((home) => {
      const ledger = new Ledger(home);
      const { entry } = ledger.begin(PLACE, parameters, false);
      ledger.note(entry.entry, { state: "delivered", orderId: "o-1", status: "delivered" });
      const second = ledger.begin("sample", parameters, false).entry;
      const frame = orders({ connection: idle(home) });
      assertEquals(typesOf(frame), types);
      const { sent_at: at, ...row } = frame.toRecords()[0];
      assertEquals(row, {
        entry: 1,
        service: PLACE,
        dataset: "era5",
        latitude: 55.5,
        longitude: 7.75,
        start_year: 2020,
        end_year: 2021,
        file_type: "zipcsv",
        order_id: "o-1",
        state: "delivered",
        status: "delivered",
      });
      assertEquals(Number(at), Date.parse(entry.sentAt.slice(0, 19) + "Z"));
      assertEquals(readColumn(frame, "state"), ["delivered", "sent"]);
      assertEquals(readColumn(frame, "order_id"), ["o-1", null]);
      assertEquals(second.state, "sent");
    }));

  describe("F11 forget()", () => {
    it("forgets one uncertain order, and still lists it", () =>
      withHome((home) => {
        const ledger = new Ledger(home);
        ledger.begin(PLACE, parameters, false);
        ledger.begin(PLACE, { ...parameters, end_year: 2022 }, false);
        orders({ connection: idle(home) }).forget(2);
        assertEquals(readColumn(orders({ connection: idle(home) }), "state"), [
          "sent",
          "forgotten",
        ]);
      }));

    it("without an entry forgets all uncertain orders, and no others", () =>
      withHome((home) => {
        const ledger = new Ledger(home);
        const { entry } = ledger.begin(PLACE, parameters, false);
        ledger.note(entry.entry, { state: "placed", orderId: "o-1" });
        ledger.begin(PLACE, { ...parameters, end_year: 2022 }, false);
        ledger.begin(PLACE, { ...parameters, end_year: 2023 }, false);
        orders({ connection: idle(home) }).forget();
        assertEquals(readColumn(orders({ connection: idle(home) }), "state"), [
          "placed",
          "forgotten",
          "forgotten",
        ]);
      }));

    it("refuses an order that is not uncertain, and names those that are", () =>
      withHome((home) => {
        const ledger = new Ledger(home);
        const { entry } = ledger.begin(PLACE, parameters, false);
        ledger.note(entry.entry, { state: "placed", orderId: "o-1" });
        const none = assertThrows(
          () => orders({ connection: idle(home) }).forget(1),
          ArgumentError,
        );
        assertStringIncludes(none.message, "there are none");
        ledger.begin(PLACE, { ...parameters, end_year: 2022 }, false);
        for (const wrong of [1, 3]) {
          const call = () => orders({ connection: idle(home) }).forget(wrong);
          assertStringIncludes(assertThrows(call, ArgumentError).message, "(2)");
        }
        assertEquals(ledger.listEntries().map(({ state }) => state), ["placed", "sent"]);
      }));

    it("does not change an order whose answer has come since it was listed", () =>
      withHome((home) => {
        const ledger = new Ledger(home);
        const { entry } = ledger.begin(PLACE, parameters, false);
        const listed = orders({ connection: idle(home) });
        ledger.note(entry.entry, { state: "placed", orderId: "o-1" });
        try {
          listed.forget();
        } catch (error) {
          assert(error instanceof ArgumentError, String(error)); // a refusal is right, too
        }
        assertEquals(ledger.listEntries().map(({ state }) => state), ["placed"]);
      }));
  });
});
