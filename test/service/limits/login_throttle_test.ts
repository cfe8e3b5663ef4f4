import { MemoryAttempts } from "../../../src/storage/store/memory_attempts.ts";
import { loginThrottleSuite } from "./_login_throttle_suite.ts";

loginThrottleSuite("MemoryAttempts", (now) => new MemoryAttempts({ now }));
