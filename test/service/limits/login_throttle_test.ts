import { loginThrottleSuite } from "./_login_throttle_suite.ts";
import { MemoryAttempts } from "../../../src/storage/store/attempts.ts";

loginThrottleSuite("MemoryAttempts", (now) => new MemoryAttempts({ now }));
