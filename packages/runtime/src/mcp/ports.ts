// What the MCP room is handed. Values of other rooms come in here; nothing is reached for.
import type { EventData } from '@tandem/contract/event/schema'
import type { FailureContract } from '@tandem/contract/failure'
import type { McpServer } from '@tandem/contract/mcp'
import type { SandboxMode } from '@tandem/contract/tool'
import type { CommandRunner } from '../call/commands.ts'
import type { StreamingNetwork } from '../call/network.ts'
import type { Clock } from '../clock/clock.ts'
import type { Records } from '../store/records.ts'

export type StdioServer = Extract<McpServer, { transport: 'stdio' }>
export type HttpServer = Extract<McpServer, { transport: 'http' }>

/** Where a session of a server works, how tightly it is restricted, and what the policy of the tool that is called leaves it. */
export interface SessionPlace {
  readonly workspace: string
  readonly sandbox_mode: Exclude<SandboxMode, 'trusted'>
  /** `fs_scope.roots`: folders of the workspace that its program may write. */
  readonly roots: readonly string[]
  /** `network_scope.hosts`: which of the hosts of its consent it may reach. */
  readonly hosts: readonly string[]
}

/** The synchronized definitions; each write reaches the outbox. */
type ServerRecords = Pick<Records, 'get' | 'list' | 'put' | 'remove'>

/** What the user of this device said yes to. It never syncs: another device's yes starts nothing here. */
export interface Consent {
  readonly server_id: string
  readonly definition_sha256: string
  /** Hosts the server may reach: for stdio beyond its sandbox's none, for http beside its own address. */
  readonly network_hosts: readonly string[]
  readonly approved_at: string
}

export interface Consents {
  get(server_id: string): Consent | undefined
  put(consent: Consent): void
  /** Takes back the server's consent and those of its tools. */
  remove(server_id: string): void
  toolFingerprint(tool: string): string | undefined
  approveTool(server_id: string, tool: string, fingerprint: string, approved_at: string): void
}

export type SecretKind = 'env' | 'header' | 'query'

/** Values that stay on this device; a definition holds only their names. */
export interface Secrets {
  get(server_id: string, kind: SecretKind, name: string): string | undefined
  put(server_id: string, kind: SecretKind, name: string, value: string): void
  remove(server_id: string): void
}

export interface StateChange {
  readonly data: EventData<'mcp_state_changed'>
  readonly failure_contract?: FailureContract
}

export interface McpPorts {
  readonly clock: Clock
  /** A number from 0 up to 1, for jitter. */
  random(): number
  readonly version: string
  readonly records: ServerRecords
  readonly consents: Consents
  readonly secrets: Secrets
  /** The variables Tandem was started with; a server gets those its definition names and its user consented to. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runtime's own workspace: where the session works that a server's state tells of. */
  readonly place: SessionPlace
  /** A runner whose scope is this server's own. */
  commandsFor(server: StdioServer, consent: Consent, place: SessionPlace): CommandRunner
  /** What its program is given beside the variables its definition names. */
  environmentFor(server: StdioServer, place: SessionPlace): Readonly<Record<string, string>>
  networkFor(server: HttpServer, consent: Consent, place: SessionPlace): StreamingNetwork
  /** Whether the operating system holds programs of servers to their scope. */
  enforcement(): CommandRunner['enforcement']
  emit(change: StateChange): void
  /** The session in this place, the runtime's own or another, is in another state than runs there know. */
  told(server: McpServer, place: SessionPlace, change: StateChange): void
  /** The dynamic tools are others than before. */
  toolsChanged(server_id: string): void
}
