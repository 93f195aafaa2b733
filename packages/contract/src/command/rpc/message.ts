// The constants of the loopback channel: JSON-RPC 2.0, one message per frame.

/** The path of the channel on the runtime's loopback host, and the path where a window exchanges its one-time code for a cookie. */
export const rpcPath = '/rpc'
export const sessionPath = '/session'

/** Where a window loads images by their ids: below the channel's path, because its cookie is valid only there. */
export const filesPath = '/rpc/files/'

/** Where a program of the same user requests the address of another window, with the token of `runtime.json`. */
export const windowPath = '/window'

/** The file in Tandem's folder with which programs of the same user find a running runtime. */
export const runtimeFileName = 'runtime.json'

export const rpcTopics = ['event', 'step', 'delta'] as const
export type RpcTopic = (typeof rpcTopics)[number]

/** Methods in addition to the commands. */
export const rpcMethods = ['subscribe', 'unsubscribe'] as const

export const rpcNotifications = [...rpcTopics, 'lagging'] as const

/** Error codes of JSON-RPC; a command that refuses returns `refused`, with the reason in `data`. */
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
  /** Maximum nesting depth of the JSON of a message. */
  depth: 64,
  sockets: 32,
  /** How many bytes may be unread in one socket before its subscriptions end. */
  buffer_bytes: 4 * 1024 * 1024,
  subscriptions: 64,
  /** Concurrent calls of one socket; more are read when these are answered. */
  calls: 32,
  ping_ms: 30_000,
} as const
