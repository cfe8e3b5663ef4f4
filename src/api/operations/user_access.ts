import type { OperationTable } from "./operation_declaration.ts";
import { CONTACT } from "./operation_errors.ts";
import { apiKeyResource } from "../resources/resources.ts";
import { cacheControlHeader } from "./response_headers.ts";

/** Name of the user-access operation. */
export type UserAccessId = "api_key";

/** The user-access operation (4.4 of the API text). */
export const userAccessOperations: OperationTable<UserAccessId> = {
  api_key: {
    path: "/apikey",
    summary: "Issues an API key for a customer with a valid licence.",
    parameters: [
      {
        name: "serial_number",
        in: "query",
        type: "string",
        required: true,
        example: "1001",
        description: "The customer's serial number.",
        tag: "documented",
      },
      {
        name: "email",
        in: "query",
        type: "email",
        required: true,
        example: "owner@example.com",
        description: "The customer's e-mail address.",
        tag: "documented",
      },
    ],
    success: { kind: "record", mediaType: "application/json", schema: apiKeyResource },
    headers: [cacheControlHeader],
    errors: [
      {
        status: 400,
        meaning: "invalid_user",
        condition: `invalid serial number or user information; contact ${CONTACT} for a license`,
        tag: "documented",
      },
      {
        status: 401,
        meaning: "licence_expired",
        condition: `license expired; contact ${CONTACT} to renew it`,
        tag: "documented",
      },
    ],
    changes: true,
  },
};
