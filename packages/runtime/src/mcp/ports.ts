// The dependencies of MCP, passed in by the caller.
import type { EventData } from '@tandem/contract/event/schema'
import type { FailureContract } from '@tandem/contract/failure'
import type { McpServer } from '@tandem/contract/mcp'
import type { SandboxMode } from '@tandem/contract/tool'
import type { CommandRunner } from '../call/commands.ts'
import type { ScopedNetwork, StreamingNetwork } from '../call/network.ts'
import type { CallScope } from '../call/scope.ts'
import type { Clock } from '../clock/clock.ts'
import type { Records } from '../store/records.ts'
import type { AskingCalls } from './ask/asking-calls.ts'
import type { Sampling } from './ask/sampling.ts'
import type { McpOutcome } from './failure.ts'
import type { FolderServers } from './folder/folder-servers.ts'

export type StdioServer = Extract<McpServer, { transport: 'stdio' }>
export type HttpServer = Extract<McpServer, { transport: 'http' }>

/** Where a session of a server works, its sandbox mode, and what the policy of the called tool allows it. */
export interface SessionScope {
  readonly workspace: string
  readonly sandbox_mode: Exclude<SandboxMode, 'trusted'>
  /** `fs_scope.roots`: folders of the workspace that its program may write to. */
  readonly roots: readonly string[]
  /** `network_scope.hosts`: which of its approved hosts it may reach. */
  readonly hosts: readonly string[]
}

/** The synchronized definitions; each write adds an outbox row. */
export interface ServerRecords extends Pick<Records, 'remove'> {
  get(type: 'mcp_servers', server_id: string): ServerRecord | undefined
  list(type: 'mcp_servers'): readonly ServerRecord[]
  put(type: 'mcp_servers', server_id: string, server: McpServer): unknown
}

interface ServerRecord {
  readonly entity_id: string
  readonly payload: unknown
}

/** What the user of this device approved. Never synchronized: an approval on another device starts nothing here. */
export interface ServerApproval {
  readonly server_id: string
  readonly definition_sha256: string
  /** Hosts that the server may reach: only these for stdio; these and its own address for http. */
  readonly network_hosts: readonly string[]
  readonly approved_at: string
  /** How many requests to the model it may make in one run; a new approval allows none. */
  readonly sampling_limit?: number
}

export interface ServerApprovals {
  get(server_id: string): ServerApproval | undefined
  put(consent: ServerApproval): void
  allowSampling(server_id: string, limit: number): void
  /** Revokes the approval of the server and of its tools. */
  remove(server_id: string): void
  toolFingerprint(tool: string): string | undefined
  approveTool(server_id: string, tool: string, fingerprint: string, approved_at: string): void
}

/** Values that the user enters. */
export type SecretKind = 'env' | 'header' | 'query'

/** `oauth`: the tokens and the client of a sign-in. */
export type StoredSecretKind = SecretKind | 'oauth'

/** Values that stay on this device; a definition contains only their names. */
export interface Secrets {
  get(server_id: string, kind: StoredSecretKind, name: string): string | undefined
  put(server_id: string, kind: StoredSecretKind, name: string, value: string): void
  /** All of the server, or those of one kind. */
  remove(server_id: string, kind?: StoredSecretKind): void
}

export interface StateChange {
  readonly data: EventData<'mcp_state_changed'>
  readonly failure_contract?: FailureContract
}

export interface McpPorts {
  readonly clock: Clock
  /** A number from 0 to 1 (exclusive), for jitter. */
  random(): number
  readonly version: string
  readonly records: ServerRecords
  readonly consents: ServerApprovals
  readonly secrets: Secrets
  /** Tandem's environment variables; a server gets those that its definition names and its user approved. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runtime's own workspace: the session there determines the state of the server. */
  readonly place: SessionScope
  /** The servers of folders. */
  readonly folders: FolderServers
  /** The folder of which this one is a copy; null if it is none. */
  originOf(workspace: string): string | null
  /** A command runner with the scope of this server. `report` gets what the scope refuses. */
  commandsFor(server: StdioServer, consent: ServerApproval, place: SessionScope, report: CallScope['report']): CommandRunner
  /** The environment of its program in addition to the variables in its definition. */
  environmentFor(server: StdioServer, place: SessionScope): Readonly<Record<string, string>>
  networkFor(server: HttpServer, consent: ServerApproval, place: SessionScope): StreamingNetwork
  /** A network for the sign-in to a server: it reaches these hosts, and those that the user approved for the server. */
  signInNetworkFor(server: HttpServer, consent: ServerApproval, hosts: readonly string[]): Pick<ScopedNetwork, 'request'>
  /** Whether the operating system restricts programs of servers to their scope. */
  enforcement(): CommandRunner['enforcement']
  emit(change: StateChange): void
  /** The session in this place, the runtime's own or another, has a different state from the one that runs there know. */
  told(server: McpServer, place: SessionScope, change: StateChange): void
  /** Questions of servers to the user, and requests to the model. */
  readonly asking: AskingCalls
  readonly sampling: Sampling
  /** The dynamic tools have changed. */
  toolsChanged(server_id: string): void
}

/** What a session needs in addition: the sign-ins are shared by all sessions. */
export interface SessionPorts extends McpPorts {
  authorizerFor(server: HttpServer): Authorizer
}

/** The access token for the requests of a server. */
export interface Authorizer {
  /** Null if nobody signed in. */
  token(): Promise<McpOutcome<string | null>>
  /** The server refused this token: another one, if there is one. */
  replace(refused: string): Promise<McpOutcome<string | null>>
  /** The server requires this scope: the next sign-in asks for it. */
  require(scope: string | null): void
}
