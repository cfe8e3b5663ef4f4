import { MemoryAttempts } from "../../../src/storage/store/sqlite/sqlite_store.ts";
import { loginThrottleSuite } from "./_login_throttle_suite.ts";

loginThrottleSuite("MemoryAttempts", (now) => new MemoryAttempts({ now }));
