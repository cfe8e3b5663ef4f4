import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { plotPowerCurve } from "../../src/plots/hours/power_curve.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { buildDetails } from "../plots/_frames.ts";
import { pack } from "./pack.ts";

/** Draws a chart with the package at an address; prints the hash of the PNG and the number of temporary folders. */
const PROGRAM =
  `const { plotPowerCurve } = await import(Deno.args[0] + "/src/plots/hours/power_curve.ts");
const png = await plotPowerCurve(JSON.parse(Deno.args[1])).png();
const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", png.slice())).toHex();
console.log(hash, [...Deno.readDirSync("temporary")].length);
`;

const READ = ["--allow-ffi", "--allow-sys", "--allow-env", "--allow-read", "--no-prompt"];

describe("NB3: a PNG of the packed package", () => {
  it("is that of a checkout, also where the package comes from an address", async () => {
    const root = await Deno.realPath(await Deno.makeTempDir());
    try {
      await pack(root);
      await Deno.writeTextFile(`${root}/main.ts`, PROGRAM);
      await Deno.mkdir(`${root}/temporary`);
      // Keeps modules from loopback out of the machine's cache.
      const info = await new Deno.Command("deno", { args: ["info", "--json"] }).output();
      const { npmCache } = JSON.parse(new TextDecoder().decode(info.stdout));
      await Deno.mkdir(`${root}/cache`);
      await Deno.symlink(npmCache, `${root}/cache/npm`);
      const requests: string[] = [];
      const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
      await using server = Deno.serve(options, async ({ url }) => {
        const { pathname } = new URL(url);
        requests.push(pathname);
        const type = pathname.endsWith(".ts") ? "text/typescript" : "application/json";
        const bytes = await Deno.readFile(`${root}/npm${pathname}`);
        return new Response(bytes, { headers: { "content-type": type } });
      });
      const host = `127.0.0.1:${server.addr.port}`;
      const draw = async (address: string, ...more: string[]) => {
        const words = [
          "run",
          ...READ,
          "--no-check",
          "--no-lock",
          `--allow-import=${host}`,
          ...more,
        ];
        const { stdout, stderr } = await new Deno.Command("deno", {
          args: [...words, "main.ts", address, JSON.stringify(buildDetails())],
          cwd: root,
          env: { DENO_DIR: `${root}/cache`, TMPDIR: `${root}/temporary`, NO_COLOR: "1" },
        }).output();
        const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        return { out, err };
      };
      const hash = sha256(await plotPowerCurve(buildDetails()).png());
      const local = await draw(`file://${root}/npm`);
      assertEquals(local.out, `${hash} 0\n`, local.err);
      const write = `--allow-write=${root}/temporary`;
      const refused = await draw(`http://${host}`, write);
      assertStringIncludes(refused.err, "Cannot load the font for PNG charts: Requires net access");
      const remote = await draw(`http://${host}`, write, `--allow-net=${host}`);
      assertEquals(remote.out, `${hash} 1\n`, remote.err);
      assertEquals(requests.filter((path) => path.endsWith(".ttf")).length, 2);
      assertEquals([...Deno.readDirSync(`${root}/temporary`)], []);
      await Deno.remove(`${root}/npm/src/plots/drawing/fonts`, { recursive: true });
      const damaged = await draw(`file://${root}/npm`);
      assertStringIncludes(
        damaged.err,
        "its file is missing or damaged. Install Vindkit again. You can also save",
      );
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
});
