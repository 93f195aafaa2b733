import type { Transitions } from '../transition/index.ts'

export const mcpServerStates = ['created', 'testing', 'connected', 'degraded', 'disconnected', 'failed'] as const
export type McpServerState = (typeof mcpServerStates)[number]

export const mcpServerTriggers = ['test', 'connect', 'fail', 'miss_pings', 'recover', 'disconnect'] as const
export type McpServerTrigger = (typeof mcpServerTriggers)[number]

/** `connect` is the server's successful response; a user's request to connect is `test`, which leads there or to `failed`. */
export const mcpServerTransitions = {
  noun: 'mcp_server',
  states: mcpServerStates,
  triggers: mcpServerTriggers,
  initial: 'created',
  rows: [
    { from: ['created', 'disconnected', 'failed'], on: 'test', to: 'testing' },
    { from: ['testing'], on: 'connect', to: 'connected' },
    { from: ['testing'], on: 'fail', to: 'failed' },
    { from: ['connected'], on: 'miss_pings', to: 'degraded' },
    { from: ['degraded'], on: 'recover', to: 'connected' },
    { from: ['testing', 'connected', 'degraded'], on: 'disconnect', to: 'disconnected' },
  ],
} satisfies Transitions<McpServerState, McpServerTrigger>
