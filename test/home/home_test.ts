import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { homeFolder, homePath } from "../../src/home/home.ts";
import { restoreEnvironment, setEnvironment } from "./_environment.ts";

describe("homeFolder()", () => {
  beforeEach(() =>
    setEnvironment({ VINDKIT_HOME: "/own", HOME: "/users/a", USERPROFILE: "C:\\Users\\a" })
  );
  afterEach(restoreEnvironment);

  it("is VINDKIT_HOME where that is set", () => {
    assertEquals(homeFolder(), "/own");
  });

  it("is .vindkit in the user's folder otherwise, also where VINDKIT_HOME is empty", () => {
    for (const absent of [undefined, ""]) {
      setEnvironment({ VINDKIT_HOME: absent });
      assertEquals(homeFolder(), "/users/a/.vindkit");
    }
  });

  it("takes the user's folder of Windows where there is no other", () => {
    setEnvironment({ VINDKIT_HOME: undefined, HOME: undefined });
    assertEquals(homeFolder(), "C:\\Users\\a/.vindkit");
  });

  it("is .vindkit here where nothing says where the user's folder is", () => {
    setEnvironment({ VINDKIT_HOME: undefined, HOME: undefined, USERPROFILE: undefined });
    assertEquals(homeFolder(), ".vindkit");
  });

  it("is looked up each time", () => {
    setEnvironment({ VINDKIT_HOME: "/other" });
    assertEquals(homePath("a", "b.json"), "/other/a/b.json");
  });
});
