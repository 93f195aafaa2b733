export type { McpServer, McpServerStatus, McpTool } from './schema.ts'
export * from './sign-in.ts'
export * from './state.ts'
export * from './transport.ts'
