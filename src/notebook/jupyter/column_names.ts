import type { KernelClient } from "../kernel/kernel_client.ts";

/** Mark in the metadata of the message by which the kernel lists columns. */
const COLUMNS = "vindkit_columns";

/** A name, or a path such as `check.comparison`; calls are not followed. */
const PATH = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

/** Code that sends the columns of the frames at some paths. It calls nothing of the user, and getters are not read. */
function buildQuery(paths: readonly string[]): string {
  return `{
  const columns = new Set();
  for (const path of ${JSON.stringify(paths)}) {
    try {
      const [first, ...rest] = path.split(".");
      let value = (0, eval)(first);
      for (const name of rest) {
        if (Array.isArray(value?.columns)) break;
        value = Object.getOwnPropertyDescriptor(value, name)?.value;
      }
      if (typeof value?._df !== "object") continue;
      for (const column of value.columns) columns.add(column);
    } catch {
      // not a name of the kernel
    }
  }
  await Deno.jupyter.broadcast("status", { execution_state: "busy" }, {
    metadata: { ${COLUMNS}: [...columns] },
  });
}`;
}

/** Lists the columns of the frames that code names. */
export async function listColumnNames(client: KernelClient, code: string): Promise<string[]> {
  const paths = [...new Set(code.match(PATH))];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const { reply } = await client.executeSilently(buildQuery(paths), ({ metadata }) => {
    const columns = metadata[COLUMNS];
    if (Array.isArray(columns)) resolve(columns.map(String));
  });
  if ((await reply).status !== "ok") return [];
  return await promise; // it may come after the kernel is idle: the kernel sends them from two threads
}
