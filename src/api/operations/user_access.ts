import type { OperationTable } from "./operation_declaration.ts";
import { CONTACT, documented } from "./operation_errors.ts";
import { inQuery } from "./parameter.ts";
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
        ...inQuery,
        type: "string",
        example: "1001",
        description: "The customer's serial number.",
      },
      {
        name: "email",
        ...inQuery,
        type: "email",
        example: "owner@example.com",
        description: "The customer's e-mail address.",
      },
    ],
    success: { kind: "record", mediaType: "application/json", schema: apiKeyResource },
    headers: [cacheControlHeader],
    errors: [
      documented(
        400,
        "invalid_user",
        `invalid serial number or user information; contact ${CONTACT} for a license`,
      ),
      documented(401, "licence_expired", `license expired; contact ${CONTACT} to renew it`),
    ],
    changes: true,
  },
};
