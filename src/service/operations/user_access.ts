import type { UserAccessId } from "../../api/operations/user_access.ts";
import type { ApiKeyResource } from "../../api/resources/resources.ts";
import { type Answer, textOf } from "./call.ts";
import { findCustomerLicence, issueKey } from "../licences/licences.ts";

const apiKey: Answer = async (call) => {
  const licence = await findCustomerLicence(
    textOf(call, "serial_number"),
    textOf(call, "email"),
    call.store.licences,
    call.attempts,
  );
  const answer: ApiKeyResource = {
    api_key: await issueKey(licence, call.store.licences, "request"),
    expires: licence.expires,
  };
  return Response.json(answer, { headers: { "cache-control": "no-store" } });
};

/** Answer of the user-access group. */
export const userAccessAnswers: Record<UserAccessId, Answer> = {
  api_key: apiKey,
};
