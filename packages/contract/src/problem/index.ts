// Everything the cloud refuses or fails at: one code each, its HTTP status, its name, and what a person can do about it.
export type { Problem } from './schema.ts'

interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly remedy: string
}

export const problems = {
  // The request
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    remedy: 'Correct the fields listed in errors and send the request again.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing here',
    remedy: 'Check the address and the id; it may have been deleted, or belong to another account.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not answer to that method',
    remedy: 'Use one of the methods listed in allowed.',
  },
  not_acceptable: {
    status: 406,
    title: 'The answer has no form the caller accepts',
    remedy: 'Accept application/json, or leave the Accept header out.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    remedy: 'Check the connection and send the request again.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request is too large',
    remedy: 'Send less at once, within the limits listed; large content belongs in a file.',
  },
  expectation_failed: {
    status: 417,
    title: 'The Expect header cannot be met',
    remedy: 'Send the request without the Expect header, or with 100-continue.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers of the request are too large',
    remedy: 'Send shorter headers and a shorter address.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not understood here',
    remedy: 'Send the body with the content type the documentation names for this address.',
  },
  upgrade_required: {
    status: 426,
    title: 'This address speaks WebSocket',
    remedy: 'Open it as a WebSocket connection.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the time given in Retry-After, then continue more slowly.',
  },

  // Who is asking
  unauthorized: {
    status: 401,
    title: 'Sign-in is needed',
    remedy: 'Sign in and send the access token as Authorization: Bearer.',
  },
  invalid_token: {
    status: 401,
    title: 'The token is not valid',
    remedy: 'Sign in again to get a new token.',
  },
  token_expired: {
    status: 401,
    title: 'The token has expired',
    remedy: 'Get a new access token with the refresh token; if that one has expired too, sign in again.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    remedy: 'Sign in again on this device.',
  },
  refresh_token_reused: {
    status: 401,
    title: 'The refresh token was used before',
    remedy: 'The session was ended for safety. Sign in again, and change the password if you did not expect this.',
  },
  invalid_credentials: {
    status: 401,
    title: 'E-mail or password is wrong',
    remedy: 'Check both and try again.',
  },
  wrong_password: {
    status: 403,
    title: 'The password is wrong',
    remedy: 'Enter the current password of this account and try again.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    remedy: 'Create a new key for this account; the old one was revoked or is incomplete.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key may not be used for this',
    remedy: 'Use a key with the scope named in detail, or sign in.',
  },
  email_unconfirmed: {
    status: 403,
    title: 'The e-mail address is not confirmed yet',
    remedy: 'Open the link in the message sent to that address, then sign in.',
  },
  email_taken: {
    status: 409,
    title: 'There is already an account with this e-mail address',
    remedy: 'Sign in instead, or register with another address.',
  },
  weak_password: {
    status: 422,
    title: 'The password is too easy to guess',
    remedy: 'Choose a longer password that is used nowhere else.',
  },
  forbidden: {
    status: 403,
    title: 'This is not allowed',
    remedy: 'Use an account or a network that is allowed to do this.',
  },
  origin_refused: {
    status: 403,
    title: 'This web page may not call the service',
    remedy: 'Ask whoever runs the service to add the origin of the page to those allowed.',
  },

  // What is stored
  version_conflict: {
    status: 412,
    title: 'It was changed in the meantime',
    remedy: 'Read it again, apply your change to the present version and send that with its ETag in If-Match.',
  },
  unknown_reference: {
    status: 422,
    title: 'The request names something that does not exist',
    remedy: 'Correct the ids listed in errors, or create what they name first.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    remedy: 'Use a new key for a new request; repeat a key only with exactly the same request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same request is still being worked on',
    remedy: 'Wait for the time given in Retry-After and repeat it with the same key.',
  },
  transition_refused: {
    status: 409,
    title: 'It can not change to that state from the one it is in',
    remedy: 'Read its present state; the states it can change to are listed in allowed.',
  },
  wrong_device: {
    status: 409,
    title: 'The task is meant for another device',
    remedy: 'Let the device named by the task run it, or create a task for this device.',
  },
  invalid_workflow: {
    status: 422,
    title: 'The parts of the workflow do not fit together',
    remedy: 'Correct the nodes and edges listed in errors.',
  },

  limit_reached: {
    status: 409,
    title: 'The account already has as many as it may have',
    remedy: 'Remove one that is no longer needed, then try again.',
  },

  // Sync
  cursor_expired: {
    status: 410,
    title: 'The cursor is too old',
    remedy: 'Pull once from the beginning, without a cursor, and remove what that does not bring.',
  },
  cursor_ahead: {
    status: 409,
    title: 'The cursor is ahead of this server',
    remedy: 'Queue everything held on the device again, then pull once from the beginning.',
  },

  // Files
  range_not_satisfiable: {
    status: 416,
    title: 'The file has no such range',
    remedy: 'Ask for a range within the size given in Content-Range.',
  },
  checksum_mismatch: {
    status: 422,
    title: 'The file did not arrive as it was sent',
    remedy: 'Upload it again; if that fails too, compute the SHA-256 of the file anew.',
  },

  // Models
  model_not_found: {
    status: 404,
    title: 'There is no such model',
    remedy: 'Choose one of the models listed at /api/v1/llm/models.',
  },
  dialect_unsupported: {
    status: 400,
    title: 'The model does not speak this API',
    remedy: "Call the model through one of the APIs named in its card's dialects, or choose another model.",
  },
  quota_exceeded: {
    status: 429,
    title: 'The quota for models is used up',
    remedy: 'Wait until the quota is renewed, or ask whoever runs the service for more.',
  },
  upstream_rate_limited: {
    status: 429,
    title: 'The provider of the model is limiting requests',
    remedy: 'Wait for the time given in Retry-After, or choose another model.',
  },
  upstream_failed: {
    status: 502,
    title: 'The provider of the model failed',
    remedy: 'Try again, or choose another model.',
  },
  upstream_refused: {
    status: 502,
    title: 'The provider of the model refused this service',
    remedy: "Choose another model; whoever runs the service must check the provider's key.",
  },
  upstream_timeout: {
    status: 504,
    title: 'The provider of the model did not answer in time',
    remedy: 'Try again, or choose another model.',
  },

  // The service itself
  internal_error: {
    status: 500,
    title: 'Something went wrong in the service',
    remedy: 'Try again; if it stays, report it with the request_id.',
  },
  overloaded: {
    status: 503,
    title: 'The service has too much to do',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  restarting: {
    status: 503,
    title: 'The service is restarting',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database can not be reached',
    remedy: 'Nothing was lost on this device. Wait for the time given in Retry-After and try again.',
  },
  cache_unavailable: {
    status: 503,
    title: 'The cache can not be reached',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The file storage can not be reached',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  accounts_unavailable: {
    status: 503,
    title: 'The account service can not be reached',
    remedy: 'Wait for the time given in Retry-After and sign in again then.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

export const problemCodes = Object.keys(problems) as ProblemCode[]

export function isProblemCode(name: string): name is ProblemCode {
  return Object.hasOwn(problems, name)
}

export const problemMediaType = 'application/problem+json'

/** The URI that names a kind of problem (RFC 9457). */
export function problemType(code: ProblemCode): `urn:tandem:problem:${ProblemCode}` {
  return `urn:tandem:problem:${code}`
}
