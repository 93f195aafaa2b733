// Limits for all servers.

export const mcpLimits = {
  /** From the start of the process, or the first request, to the end of the handshake. Some download themselves first. */
  start_ms: 60_000,
  /** One list, resource or prompt. */
  request_ms: 30_000,
  ping_every_ms: 30_000,
  ping_ms: 10_000,
  /** Pings after which a server counts as having read its roots, all within the time limit of one ping, and the pause after each. */
  root_turns: 10,
  root_turn_ms: 5,
  /** Missed pings until `degraded`, and until the server is restarted. */
  degraded_after: 2,
  lost_after: 4,
  /** How long a user may take to sign in in the browser. */
  sign_in_ms: 10 * 60_000,
  /** One request to an authorization server, and its response. */
  sign_in_request_ms: 20_000,
  sign_in_bytes: 256 * 1024,
  reconnect_first_ms: 1_000,
  reconnect_longest_ms: 60_000,
  /** How long the first run waits for servers to start. */
  patience_ms: 15_000,
  /** How long a session in another workspace is kept for the next call. */
  idle_ms: 10 * 60_000,
  /** How many changes of one server a run is notified of immediately, and how often after that. */
  told_at_once: 12,
  told_every_ms: 60_000,
  /** A server that announces changes all the time is refreshed at most this often. */
  refresh_gap_ms: 500,
  /** One message on the wire. */
  message_bytes: 32 * 1024 * 1024,
  /** A larger image is only stored in a file. */
  image_bytes: 5 * 1024 * 1024,
  /** How often a server may ask the user during one call, and how often an answer may not fit. */
  questions_per_call: 5,
  answer_tries: 3,
  /** What a server may send to the model at once. */
  sample_characters: 100_000,
  /** How much of what a server says about itself a model is shown. */
  shown_instructions: 2_000,
  /** Progress of a call is shown at most this often. */
  progress_gap_ms: 200,
  log_bytes: 64 * 1024,
  log_line: 4_096,
  tools: 1_000,
  pages: 100,
  /** As in the contract's `Text` and `JsonText`. */
  description: 65_536,
  schema: 65_536,
  schema_depth: 64,
  /** How much of a description a model is shown. */
  shown_description: 4_096,
} as const
