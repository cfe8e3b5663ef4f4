import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const CHECKOUT = new URL("../../", import.meta.url).pathname;

const SCRIPT = `import { connect, turbineDetails } from "@vindkit/vindkit";
import { parametricPowerCurve } from "@vindkit/vindkit/sites";

await using connection = connect({ sample: true });
const { ratedPower, rotorDiameter } = { ratedPower: 2300, rotorDiameter: 92 };
const curve = parametricPowerCurve({ ratedPower, rotorDiameter });
console.log((await turbineDetails("T1", { connection })).turbine_id, curve.length);
`;

/** The call on a page that runs a script in any folder. */
async function findCall(page: string): Promise<string[]> {
  const text = await Deno.readTextFile(CHECKOUT + page);
  return /^deno (run --config CHECKOUT.*)$/m.exec(text)![1].split(" ");
}

describe("S16: a script outside of the checkout", () => {
  it("runs by the call of README.md and of docs/getting-started.md", async () => {
    const folder = await Deno.makeTempDir();
    const call = await findCall("docs/getting-started.md");
    assertEquals((await findCall("README.md")).slice(0, -1), call.slice(0, -1));
    assert(call.at(-1)!.endsWith(".ts"));
    await Deno.writeTextFile(`${folder}/${call.at(-1)}`, SCRIPT);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: call.map((word) => word.replace("CHECKOUT/", CHECKOUT)),
      cwd: folder,
      env: { VINDKIT_HOME: `${folder}/home`, VINDKIT_URL: "", VINDKIT_KEY: "", NO_COLOR: "1" },
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    assertEquals(new TextDecoder().decode(stdout), "T1 45\n");
    await Deno.remove(folder, { recursive: true });
  });
});
