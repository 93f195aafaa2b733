import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Flag, JsonText, Key, Line, listOf, nullable, object, oneOf, Sha256, Text, Timestamp } from '../shape.ts'
import { ApprovalMode, ToolName } from '../tool/schema.ts'
import { mcpServerStates } from './state.ts'

/** The middle part of `mcp.<server_id>.<tool>`, so it has no dot. */
export const McpServerId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' })

const VariableName = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$' })
const HeaderName = Type.String({ minLength: 1, maxLength: 200, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })
const Path = Type.String({ minLength: 1, maxLength: 4_096 })

const definition = {
  server_id: McpServerId,
  name: Line,
  enabled: Flag,
  auto_reconnect: Flag,
  /** For its tools that have no policy of their own. */
  default_approval_mode: ApprovalMode,
  /** The agents that may use it; absent: all of them. */
  agent_ids: Type.Optional(listOf(Key, { maxItems: 1_000 })),
  /** The tools that are used, by the server's own names; absent: all of them. */
  include_tools: Type.Optional(listOf(Line, { maxItems: 1_000 })),
  /** Tools that are not used. */
  exclude_tools: Type.Optional(listOf(Line, { maxItems: 1_000 })),
  /** The time limit of its calls, unless the policy of a tool has another; absent: 120 seconds. */
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
}

/** Payload of an `mcp_servers` entity. Only the names of secrets are synchronized; their values stay on the device. */
export const McpServer = Type.Union([
  object({
    ...definition,
    transport: Type.Literal('stdio'),
    command: Path,
    args: listOf(Type.String({ maxLength: 4_096 }), { maxItems: 200 }),
    env_names: listOf(VariableName, { maxItems: 200 }),
    working_directory: nullable(Path),
  }),
  object({
    ...definition,
    transport: Type.Literal('http'),
    /** Without user, query or fragment, which often contain secrets. */
    url: Type.String({ maxLength: 2_048, pattern: '^https?://[^/?#\\s@]+(?:/[^?#\\s]*)?$' }),
    header_names: listOf(HeaderName, { maxItems: 100 }),
    query_names: listOf(Line, { maxItems: 100 }),
  }),
])
export type McpServer = Static<typeof McpServer>

/** The state of a server on this device. It is not synchronized. */
export const McpServerStatus = object({
  server_id: McpServerId,
  state: oneOf(mcpServerStates),
  state_ts: Timestamp,
  heartbeat_at: nullable(Timestamp),
  missed_pings: Count,
  reconnect_attempts: Count,
  next_reconnect_at: nullable(Timestamp),
  server_name: nullable(Line),
  server_version: nullable(Line),
  protocol_version: nullable(Line),
  tool_count: Count,
  failure_contract: Type.Optional(FailureContract),
})
export type McpServerStatus = Static<typeof McpServerStatus>

/** A tool as its server describes it. When `fingerprint` is not the approved one, it needs approval again. */
export const McpTool = object({
  server_id: McpServerId,
  tool: ToolName,
  remote_name: Line,
  title: nullable(Line),
  description: Text,
  input_schema: JsonText,
  output_schema: nullable(JsonText),
  /** Of description and schemas. */
  fingerprint: Sha256,
  approved_fingerprint: nullable(Sha256),
  refreshed_at: Timestamp,
})
export type McpTool = Static<typeof McpTool>
