/** A proxy that the environment names: it never sees a key in plain text, and messages name it without its password. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Calls a service in a separate process, because Deno reads the proxies of the environment only once. */
async function call(url: string, env: Record<string, string>): Promise<string> {
  const code = `import { connect, turbines } from "${ROOT}mod.ts";
await using connection = connect({ url: "${url}", key: "a-key-of-some-length" });
console.log(await turbines({ connection }).catch((error) => error.message));`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "-A", "--config", `${ROOT}deno.json`, file],
      env: { NO_COLOR: "1", VINDKIT_URL: "", VINDKIT_KEY: "", ...env },
      stderr: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(file);
  }
}

/** Serves at a free port of loopback, and notes the requests. */
function listen() {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(`${request.method} ${request.url} ${request.headers.get("x-auth")}`);
    return new Response("no wind here", { status: 404 });
  });
  return { seen, server, host: `127.0.0.1:${server.addr.port}` };
}

describe("NB5 a proxy in the environment", () => {
  it("NB5 gets no request for a service on this machine", async () => {
    const [proxy, service] = [listen(), listen()];
    try {
      for (const host of [service.host, service.host.replace("127.0.0.1", "localhost")]) {
        await call(`http://${host}`, { HTTP_PROXY: `http://${proxy.host}` });
      }
      assertEquals(proxy.seen, []);
      assertEquals(service.seen.length, 2);
      assertStringIncludes(service.seen[0], "a-key-of-some-length");
    } finally {
      await proxy.server.shutdown();
      await service.server.shutdown();
    }
  });

  it("NB5 is named if it fails, without its password", async () => {
    const proxy = listen();
    try {
      const message = await call("https://wind.example.org", {
        HTTPS_PROXY: `http://user:secret@${proxy.host}`,
      });
      assertStringIncludes(message, `through the proxy ${proxy.host} of HTTPS_PROXY`);
      assertEquals(message.includes("secret"), false);
      assertEquals(proxy.seen.some((line) => line.includes("a-key-of-some-length")), false);
    } finally {
      await proxy.server.shutdown();
    }
  });
});
