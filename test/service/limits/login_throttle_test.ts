import { MemoryAttempts } from "../../../src/storage/store/sqlite/memory_attempts.ts";
import { loginThrottleSuite } from "./_login_throttle_suite.ts";

loginThrottleSuite("MemoryAttempts", (now) => new MemoryAttempts({ now }));
