import type { ApprovalMode } from '../tool/index.ts'

export const mcpTransports = ['stdio', 'http'] as const
export type McpTransport = (typeof mcpTransports)[number]

export const defaultMcpApprovalMode: ApprovalMode = 'required'
