// MCP servers on this device: what runs, who consented to it, and its state. A consent always names the hash of what was shown.
import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { McpServer, McpServerId, McpServerStatus, McpTool } from '../mcp/schema.ts'
import { Count, Flag, Key, Line, listOf, nullable, object, oneOf, pageOf, Sha256, Text, Timestamp } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { type Command, listParams, paging } from './command.ts'
import type { CommandNameIn } from './index.ts'

/** Something suspicious in a server's text: it does not prove malice; a severe finding needs the user's approval. */
export const Suspicion = object({ code: Key, title: Line, grave: Flag, where: Line, excerpt: Text })
export type Suspicion = Static<typeof Suspicion>

export const McpServerPreview = object({
  server: McpServer,
  /** What a consent must name. */
  definition_sha256: Sha256,
  /** The complete command or address, with invisible characters made visible. */
  runs: Text,
  secret_names: listOf(Line),
  warnings: listOf(Text),
})
export type McpServerPreview = Static<typeof McpServerPreview>

export const ListedMcpServer = object({
  preview: McpServerPreview,
  status: McpServerStatus,
  /** Why this device does not start it; null if its user consented to the current definition. */
  consent_problem: nullable(FailureContract),
  /** The hosts of the approval on this device. */
  network_hosts: listOf(Line),
  /** The sign-in of the user with OAuth; null if there is none. Tokens are never part of a result. */
  sign_in: nullable(
    object({
      /** The authorization server. */
      issuer: Text,
      signed_in_at: Timestamp,
      /** When the current access token expires; it is refreshed before that. */
      expires_at: nullable(Timestamp),
    }),
  ),
  /** How many requests to the model it may make in one run (sampling); none unless the user allowed it. */
  sampling_limit: Count,
  /** What its tools cost in each request that lists them, estimated. */
  tool_tokens: Count,
  /** The folder whose `.mcp.json` defines it; null for a server of all folders. */
  folder: nullable(Text),
})
export type ListedMcpServer = Static<typeof ListedMcpServer>

export const ListedMcpTool = object({
  tool: McpTool,
  standing: oneOf(['approved', 'unapproved', 'changed']),
  suspicions: listOf(Suspicion),
  /** Not shown to any model until the user has approved it. */
  withheld: Flag,
  /** Left out by `include_tools` or `exclude_tools` of the server. */
  left_out: Flag,
})
export type ListedMcpTool = Static<typeof ListedMcpTool>

/** Consent to exactly what was shown, on this device only; with the hosts that the server may reach besides its own address. */
const Consent = object({ definition_sha256: Sha256, network_hosts: listOf(Line, { maxItems: 100 }) })
const consent = nullable(Consent)

/** The servers in the `.mcp.json` of a folder. None is started before the user has approved this file. */
export const McpFolder = object({
  folder: Text,
  /** `changed`: the file is not the one that was approved, so none of its servers is used. */
  state: oneOf(['no_file', 'new', 'approved', 'declined', 'changed']),
  file: Text,
  /** What a consent must name; null if there is no file. */
  file_sha256: nullable(Sha256),
  servers: listOf(object({ preview: McpServerPreview, approved: Flag })),
  problems: listOf(object({ name: Type.String({ maxLength: 200 }), message: Text })),
  notes: listOf(object({ name: Type.String({ maxLength: 200 }), message: Text })),
})
export type McpFolder = Static<typeof McpFolder>

/** A sign-in that the user continues in a browser. Show the hosts before the address is opened. */
export const McpSignIn = object({
  sign_in_id: Key,
  server_id: McpServerId,
  authorization_url: Text,
  issuer: Text,
  /** All hosts that take part in the sign-in, that of the authorization server first. */
  hosts: listOf(Line),
  /** The rights that are requested. */
  scope: nullable(Text),
  redirect_uri: Text,
  expires_at: Timestamp,
})
export type McpSignIn = Static<typeof McpSignIn>

const of = { server_id: McpServerId }
const ofFolder = { workspace: Type.String({ minLength: 1, maxLength: 4_096, description: 'The absolute path of the folder' }) }
const folder = object({ folder: McpFolder })
const listed = object({ server: ListedMcpServer })
const status = object({ status: McpServerStatus })
/** The configuration of another client: JSON with `mcpServers`, `servers` or `mcp`, comments included, or TOML with `mcp_servers`. */
const ImportText = Type.String({ minLength: 2, maxLength: 1_048_576 })
const ImportNote = object({ name: Type.String({ maxLength: 200 }), message: Text })
/** The response of a server, unchanged. */
const Answer = Type.String({ contentMediaType: 'application/json' })

export const mcpServerCommands = {
  mcp_server_list: {
    summary: 'List the MCP servers with their state, and why a server is not started.',
    params: listParams({}),
    result: pageOf(ListedMcpServer),
  },
  mcp_server_preview: {
    summary: 'Show what a definition would run, before anything is stored.',
    params: object({ server: McpServer }),
    result: object({ preview: McpServerPreview }),
  },
  mcp_server_add: {
    summary: 'Add an MCP server. It is started only with approval of what the preview showed.',
    params: object({ server: McpServer, consent }),
    result: listed,
  },
  mcp_server_update: {
    summary: 'Change an MCP server. A change of what it runs needs approval again.',
    params: object({ server: McpServer, consent }),
    result: listed,
  },
  mcp_server_remove: {
    summary: 'Remove an MCP server, with its approval and its secrets on this device.',
    params: object(of),
    result: object(of),
  },
  mcp_server_consent: {
    summary: 'Approve on this device what an MCP server runs.',
    params: object({ ...of, ...Consent.properties }),
    result: listed,
  },
  mcp_server_revoke: {
    summary: 'Revoke the approval of an MCP server; the server is stopped.',
    params: object(of),
    result: listed,
  },
  mcp_server_allow_sampling: {
    summary: 'Set how many requests to your model an MCP server may make in one run, during its calls. 0 allows none.',
    params: object({ ...of, requests_per_run: Type.Integer({ minimum: 0, maximum: 100 }) }),
    result: listed,
  },
  mcp_server_set_secret: {
    summary: 'Set the value of a variable, header or query field for an MCP server. It stays on this device.',
    params: object({ ...of, kind: oneOf(['env', 'header', 'query']), name: Line, value: Type.String({ maxLength: 65_536 }) }),
    result: listed,
  },
  mcp_import_preview: {
    summary: 'Show what the configuration of another client would add, and what would not be taken over.',
    params: object({ text: ImportText }),
    result: object({
      servers: listOf(McpServerPreview),
      /** Servers that cannot be imported. */
      problems: listOf(ImportNote),
      /** What is not taken over, or differs, of servers that can. */
      notes: listOf(ImportNote),
    }),
  },
  mcp_import: {
    summary: 'Add the approved servers of the configuration of another client.',
    params: object({ text: ImportText, consents: listOf(object({ ...of, ...Consent.properties }), { maxItems: 200 }) }),
    result: object({ servers: listOf(ListedMcpServer) }),
  },
  mcp_folder_get: {
    summary: 'Show the MCP servers in the .mcp.json of a folder, and whether they are approved. Nothing is started.',
    params: object(ofFolder),
    result: folder,
  },
  mcp_folder_consent: {
    summary: 'Approve servers of the .mcp.json of a folder, for runs in this folder, until the file changes. The others are not used.',
    params: object({
      ...ofFolder,
      file_sha256: Sha256,
      consents: listOf(object({ ...of, ...Consent.properties }), { maxItems: 200 }),
    }),
    result: folder,
  },
  mcp_folder_revoke: {
    summary: 'Revoke the approval of the servers of a folder. They are stopped.',
    params: object(ofFolder),
    result: folder,
  },
  mcp_server_sign_in: {
    summary: 'Begin a sign-in with OAuth to an MCP server. A user opens the address in a browser.',
    params: object({
      ...of,
      /** A client that the user registered with the authorization server, if that does not register clients itself. */
      client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' })),
      client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' })),
      /** The port of the redirect address that was registered; any free one by default. */
      redirect_port: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 65_535 })),
    }),
    result: object({ sign_in: McpSignIn }),
  },
  mcp_server_wait_sign_in: {
    summary: 'Wait for the end of a sign-in to an MCP server.',
    params: object({ sign_in_id: Key, timeout_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })) }),
    result: object({ state: oneOf(['waiting', 'signed_in']) }),
  },
  mcp_server_cancel_sign_in: {
    summary: 'Cancel a sign-in to an MCP server that has not ended. Nothing of it is kept.',
    params: object({ sign_in_id: Key }),
    result: object(of),
  },
  mcp_server_sign_out: {
    summary: 'Sign out of an MCP server: its tokens are revoked and deleted from this device.',
    params: object(of),
    result: listed,
  },
  mcp_server_test: {
    summary: 'Test whether an MCP server responds, without changing its state.',
    params: object(of),
    result: status,
  },
  mcp_server_connect: {
    summary: 'Connect an MCP server, and keep it connected.',
    params: object(of),
    result: status,
  },
  mcp_server_disconnect: {
    summary: 'Disconnect an MCP server until it is connected again.',
    params: object(of),
    result: status,
  },
  mcp_tool_list: {
    summary: 'List the tools of an MCP server, with anything suspicious in their descriptions.',
    params: listParams({ ...of, refresh: Type.Optional(Flag) }),
    result: pageOf(ListedMcpTool),
  },
  mcp_tool_consent: {
    summary: 'Approve on this device a tool as its server describes it now.',
    params: object({ tool: ToolName, fingerprint: Sha256 }),
    result: object({ tool: ListedMcpTool }),
  },
  mcp_server_read_log: {
    summary: 'Read the log of an MCP server: its standard error and notes about it.',
    params: object(of),
    result: object({ lines: listOf(object({ ts: Timestamp, source: Key, text: Text })), dropped_lines: Count }),
  },
  mcp_resource_list: {
    summary: 'List the resources of an MCP server and their URI templates.',
    params: object({ ...of, ...paging }),
    result: pageOf(object({ kind: oneOf(['resource', 'template']), uri: Text, answer: Answer })),
  },
  mcp_resource_read: {
    summary: 'Read a resource of an MCP server.',
    params: object({ ...of, uri: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    result: object({ answer: Answer }),
  },
  mcp_prompt_list: {
    summary: 'List the prompts of an MCP server.',
    params: listParams(of),
    result: pageOf(object({ name: Text, answer: Answer })),
  },
  mcp_prompt_get: {
    summary: 'Get a prompt of an MCP server, filled in by the server.',
    params: object({ ...of, name: Line, values: listOf(object({ name: Line, value: Text }), { maxItems: 100 }) }),
    result: object({ answer: Answer }),
  },
} satisfies Record<Extract<CommandNameIn<'mcp_and_skills'>, `mcp_${string}`>, Command>
