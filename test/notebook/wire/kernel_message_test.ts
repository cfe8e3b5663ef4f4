import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { createHmac } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import {
  findFreeConnection,
  readConnection,
  writeConnection,
} from "../../../src/notebook/wire/kernel_connection.ts";
import { MessageSigner } from "../../../src/notebook/wire/kernel_message.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (text: string) => new TextEncoder().encode(text);

describe("MessageSigner", () => {
  it("signs header, parent, metadata and content with HMAC-SHA-256", async () => {
    const signer = await MessageSigner.of("a key");
    const { id, parts } = await signer.request("execute_request", { code: "1" });
    assertEquals(parts.length, 6);
    assertEquals(text(parts[0]), "<IDS|MSG>");
    const hmac = createHmac("sha256", "a key");
    for (const part of parts.slice(2)) hmac.update(part);
    assertEquals(text(parts[1]), hmac.digest("hex"));
    const header = JSON.parse(text(parts[2]));
    assertEquals([header.msg_id, header.msg_type], [id, "execute_request"]);
    assertEquals(JSON.parse(text(parts[5])), { code: "1" });
  });

  it("reads a message signed with the same key, after any routing parts", async () => {
    const signer = await MessageSigner.of("a key");
    const { parts } = await signer.request("status", { execution_state: "idle" });
    const message = await signer.read([bytes("kernel.x.status"), ...parts]);
    assertEquals([message.type, message.parent], ["status", ""]);
    assertEquals(message.content, { execution_state: "idle" });
  });

  it("refuses a message with a foreign, altered, cut or missing signature", async () => {
    const signer = await MessageSigner.of("a key");
    const { parts } = await signer.request("status", { execution_state: "idle" });
    const foreign = await (await MessageSigner.of("another")).request("status", {});
    assertNotEquals(text(foreign.parts[1]), text(parts[1]));
    for (
      const wrong of [
        foreign.parts,
        parts.with(5, bytes('{"execution_state":"busy"}')),
        parts.with(1, bytes("zz")),
        parts.slice(0, 5),
        parts.slice(1),
        [],
      ]
    ) {
      await assertRejects(() => signer.read(wrong), DataFormatError, "its signature is wrong");
    }
  });
});

describe("readConnection()", () => {
  it("reads the output of writeConnection()", () => {
    const connection = findFreeConnection();
    assertEquals(new Set(Object.values(connection.ports)).size, 5);
    assertEquals(readConnection(writeConnection(connection), "c.json"), connection);
  });

  it("chooses no port that the system assigns to connections and other servers", () => {
    for (const port of Object.values(findFreeConnection().ports)) {
      assert(port >= 10_000 && port < 32_768, `${port}`);
    }
  });

  it("refuses a file that names another machine or is incomplete, and never shows its key", () => {
    const good = JSON.parse(writeConnection(findFreeConnection()));
    const { key } = good;
    for (
      const [wrong, problem] of [
        ["{", "it is not JSON"],
        [{ ...good, ip: "192.0.2.1" }, "its address is tcp://192.0.2.1"],
        [{ ...good, transport: "ipc" }, "its address is ipc://"],
        [{ ...good, shell_port: "1" }, "shell_port is not a port"],
        [{ ...good, key: undefined }, "it has no key"],
      ] as const
    ) {
      const content = typeof wrong === "string" ? wrong : JSON.stringify(wrong);
      const error = assertThrows(() => readConnection(content, "c.json"), DataFormatError, problem);
      assertEquals(error.message.includes(key), false);
    }
  });
});
