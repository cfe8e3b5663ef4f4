import { MemoryAttempts } from "../../../src/service/limits/memory_attempts.ts";
import { loginThrottleSuite } from "./_login_throttle_suite.ts";

loginThrottleSuite("MemoryAttempts", (now) => new MemoryAttempts({ now }));
