// Every problem the cloud reports: its code, its HTTP status, its title, and what the user can do about it.
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
    remedy: 'Correct the fields listed in `errors` and send the request again.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    remedy: 'Check the URL and the id. The item may have been deleted, or belong to another account.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This URL does not support that method',
    remedy: 'Use one of the methods listed in `allowed`.',
  },
  not_acceptable: {
    status: 406,
    title: 'The response is not available in an accepted format',
    remedy: 'Accept application/json, or remove the Accept header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    remedy: 'Check the connection and send the request again.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request is too large',
    remedy: 'Send less data at a time, within the documented limits. Store large content as a file.',
  },
  expectation_failed: {
    status: 417,
    title: 'The Expect header cannot be met',
    remedy: 'Send the request without the Expect header, or with 100-continue.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request headers are too large',
    remedy: 'Send shorter headers and a shorter URL.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not supported',
    remedy: 'Send the body with the content type that the documentation lists for this URL.',
  },
  upgrade_required: {
    status: 426,
    title: 'This URL requires a WebSocket connection',
    remedy: 'Open it with a WebSocket client.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the time given in Retry-After, then send requests more slowly.',
  },

  // Authentication and permission
  unauthorized: {
    status: 401,
    title: 'You are not signed in',
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
    remedy: 'Get a new access token with the refresh token. If the refresh token has expired too, sign in again.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    remedy: 'Sign in again on this device.',
  },
  refresh_token_reused: {
    status: 401,
    title: 'The refresh token was already used',
    remedy: 'The session was ended for security. Sign in again, and change your password if you did not expect this.',
  },
  invalid_credentials: {
    status: 401,
    title: 'The email address or password is wrong',
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
    remedy: 'Create a new key for this account. The old one was revoked or is incomplete.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key does not have permission for this',
    remedy: 'Use a key with the scope given in `detail`, or sign in.',
  },
  email_unconfirmed: {
    status: 403,
    title: 'The email address is not confirmed yet',
    remedy: 'Open the link in the email sent to that address, then sign in.',
  },
  email_taken: {
    status: 409,
    title: 'An account with this email address already exists',
    remedy: 'Sign in instead, or register with another address.',
  },
  weak_password: {
    status: 422,
    title: 'The password is too easy to guess',
    remedy: 'Choose a longer password that you do not use anywhere else.',
  },
  forbidden: {
    status: 403,
    title: 'This is not allowed',
    remedy: 'Use an account that has permission to do this, or a network from which it is allowed.',
  },
  origin_refused: {
    status: 403,
    title: 'This web page is not allowed to call the service',
    remedy: 'Ask the operator of the service to add the origin of the page to the allowed origins.',
  },

  // Stored data
  version_conflict: {
    status: 412,
    title: 'The item has changed since you read it',
    remedy: 'Read it again, apply your change to the current version and send it with its ETag in If-Match.',
  },
  unknown_reference: {
    status: 422,
    title: 'The request refers to something that does not exist',
    remedy: 'Correct the ids listed in `errors`, or create the missing items first.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for a different request',
    remedy: 'Use a new key for a new request. Reuse a key only to repeat exactly the same request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same request is still in progress',
    remedy: 'Wait for the time given in Retry-After and repeat it with the same key.',
  },
  transition_refused: {
    status: 409,
    title: 'This change of state is not allowed',
    remedy: 'Read its current state. The states it can change to are listed in `allowed`.',
  },
  wrong_device: {
    status: 409,
    title: 'The task is assigned to another device',
    remedy: 'Run it on the device that the task is assigned to, or create a task for this device.',
  },
  invalid_workflow: {
    status: 422,
    title: 'The workflow is not valid',
    remedy: 'Correct the nodes and edges listed in `errors`.',
  },

  limit_reached: {
    status: 409,
    title: 'The account has reached its limit',
    remedy: 'Remove something that you no longer need, then try again.',
  },

  // Sync
  cursor_expired: {
    status: 410,
    title: 'The cursor is too old',
    remedy: 'Pull once from the beginning, without a cursor, and remove local items that are not in the result.',
  },
  cursor_ahead: {
    status: 409,
    title: 'The cursor is ahead of this server',
    remedy: 'Queue everything stored on the device for pushing again, then pull once from the beginning.',
  },

  // Files
  range_not_satisfiable: {
    status: 416,
    title: 'The file does not contain this range',
    remedy: 'Request a range within the size given in Content-Range.',
  },
  checksum_mismatch: {
    status: 422,
    title: 'The received file does not match its checksum',
    remedy: 'Upload it again. If that fails too, compute the SHA-256 of the file again.',
  },

  // Models
  model_not_found: {
    status: 404,
    title: 'Model not found',
    remedy: 'Choose one of the models listed at /api/v1/llm/models.',
  },
  dialect_unsupported: {
    status: 400,
    title: 'The model does not support this API',
    remedy: "Call the model through one of the APIs listed in its card's `dialects`, or choose another model.",
  },
  quota_exceeded: {
    status: 429,
    title: 'The model quota is used up',
    remedy: 'Wait until the quota is renewed, or ask the operator of the service for more.',
  },
  upstream_rate_limited: {
    status: 429,
    title: 'The model provider is limiting requests',
    remedy: 'Wait for the time given in Retry-After, or choose another model.',
  },
  upstream_failed: {
    status: 502,
    title: 'The model provider failed',
    remedy: 'Try again, or choose another model.',
  },
  upstream_refused: {
    status: 502,
    title: 'The model provider did not accept the request of this service',
    remedy: "Choose another model. The operator of the service must check the provider's key.",
  },
  upstream_timeout: {
    status: 504,
    title: 'The model provider did not respond in time',
    remedy: 'Try again, or choose another model.',
  },

  // The service itself
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    remedy: 'Try again. If it keeps happening, report it with the `request_id`.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  restarting: {
    status: 503,
    title: 'The service is restarting',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database cannot be reached',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  cache_unavailable: {
    status: 503,
    title: 'The cache cannot be reached',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The file storage cannot be reached',
    remedy: 'Wait for the time given in Retry-After and try again.',
  },
  accounts_unavailable: {
    status: 503,
    title: 'The account service cannot be reached',
    remedy: 'Wait for the time given in Retry-After, then sign in again.',
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
