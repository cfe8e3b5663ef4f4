import type { Operation } from "../../api/operations/operation.ts";
import type { Store } from "../../storage/store/store.ts";
import type { ClientInfo, ClientLogins } from "./login_throttle.ts";
import type { Licence } from "../../storage/store/licences.ts";

/** A request under way. */
export interface RequestEnv {
  readonly Bindings: {
    readonly client: ClientInfo;
    /** The request's original method: HEAD is answered like GET, but without the body. */
    readonly method: string;
    /** Set once routing has found it. */
    operation?: Operation;
  };
  /** Set by the access check. */
  readonly Variables: {
    readonly licence: Licence;
    readonly attempts: ClientLogins;
    readonly store: Store;
  };
}
