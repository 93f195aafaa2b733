// The words of the loopback channel: JSON-RPC 2.0, one message a frame.

/** Where the channel is on the runtime's loopback host, and where a window changes its one-time code for a cookie. */
export const rpcPath = '/rpc'
export const sessionPath = '/session'

/** Where a window finds pictures by their ids: below the channel, for its cookie is good for nothing else. */
export const filesPath = '/rpc/files/'

/** Where a program of the same person asks for the address of another window, with the token of `runtime.json`. */
export const windowPath = '/window'

/** The file in Tandem's folder by which programs of the same person find a running runtime. */
export const runtimeFileName = 'runtime.json'

export const rpcTopics = ['event', 'step', 'delta'] as const
export type RpcTopic = (typeof rpcTopics)[number]

/** Beside the commands. */
export const rpcMethods = ['subscribe', 'unsubscribe'] as const

export const rpcNotifications = [...rpcTopics, 'lagging'] as const

/** JSON-RPC's own numbers; a command that refuses answers `refused` and says why in `data`. */
export const rpcErrorCodes = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
  refused: -32_000,
} as const

export const rpcLimits = {
  /** One message to the runtime: the longest prompt fits, and the largest attachment. */
  frame_bytes: 16 * 1024 * 1024,
  /** How deep the JSON of a message may go. */
  depth: 64,
  sockets: 32,
  /** What may wait unread in one socket before its subscriptions end. */
  buffer_bytes: 4 * 1024 * 1024,
  subscriptions: 64,
  /** Calls of one socket under way; more are read when these are answered. */
  calls: 32,
  ping_ms: 30_000,
} as const
