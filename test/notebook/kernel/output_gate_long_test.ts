import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KernelClient } from "../../../src/notebook/kernel/kernel_client.ts";
import { startKernelProcess } from "../../../src/notebook/kernel/kernel_process.ts";
import { OutputGate } from "../../../src/notebook/kernel/prepared_code.ts";

describe("OutputGate", () => {
  it("delays no cell once it is open, and ends the kernel when it closes", async () => {
    const kernel = await startKernelProcess(".");
    const client = await KernelClient.connect(kernel.connection, new AbortController().signal);
    await (await client.request("kernel_info_request", {})).reply;
    const gate = new OutputGate("");
    const [prepared] = await Promise.all([client.executeSilently(gate.code), gate.arrive()]);
    await prepared.reply;

    await gate.open();
    for (let i = 0; i < 2; i++) {
      const content = { code: "1", silent: false, store_history: true, user_expressions: {} };
      const { reply } = await client.request("execute_request", content);
      assertEquals((await reply).status, "ok");
    }

    gate[Symbol.dispose]();
    assertEquals(await kernel.ended, "with code 0");
    await client[Symbol.asyncDispose]();
  });
});
