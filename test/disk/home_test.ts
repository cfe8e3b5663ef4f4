import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { homeFolder, homePath } from "../../src/disk/home.ts";

describe("homeFolder()", () => {
  const user = { HOME: "/users/a", USERPROFILE: "C:\\Users\\a" };
  const folder = (variables: Readonly<Record<string, string>>) =>
    homeFolder(new Map(Object.entries(variables)));

  it("is VINDKIT_HOME if that is set", () => {
    assertEquals(folder({ ...user, VINDKIT_HOME: "/own" }), "/own");
  });

  it("is .vindkit in the user's folder otherwise, even if VINDKIT_HOME is empty", () => {
    assertEquals(folder(user), "/users/a/.vindkit");
    assertEquals(folder({ ...user, VINDKIT_HOME: "" }), "/users/a/.vindkit");
  });

  it("uses the user's folder of Windows if HOME is not set", () => {
    assertEquals(folder({ USERPROFILE: user.USERPROFILE }), "C:\\Users\\a/.vindkit");
  });

  it("is .vindkit in the working folder if no user's folder is set", () => {
    assertEquals(folder({}), ".vindkit");
  });

  it("uses the environment of this process if no other is given", () => {
    assertEquals(homeFolder(), homeFolder(Deno.env));
    assertEquals(homePath("a", "b.json"), `${homeFolder()}/a/b.json`);
  });
});
