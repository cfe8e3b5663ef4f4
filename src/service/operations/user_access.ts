import type { OperationId } from "../../api/operations/operation.ts";
import { type Answer, textOf } from "./call.ts";
import { issueKey, licenceOfCustomer } from "../licences/licences.ts";

const apiKey: Answer = async (call) => {
  const licence = await licenceOfCustomer(
    textOf(call, "serial_number"),
    textOf(call, "email"),
    call.store.licences,
    call.attempts,
  );
  return Response.json(
    { api_key: await issueKey(licence, call.store.licences), expires: licence.expires },
    { headers: { "cache-control": "no-store" } },
  );
};

/** Answer of the user-access group. */
export const userAccessAnswers: Record<Extract<OperationId, "api_key">, Answer> = {
  api_key: apiKey,
};
