// Finds a server by its id, and describes its state.
import type { CommandError, CommandResult, ListedMcpServer } from '@tandem/contract/command'
import { type McpServerStatus, needsSignIn } from '@tandem/contract/mcp'
import { exitCodes } from '../../run/exit-code.ts'
import type { CommandAnswer, RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { utcSecond } from '../../terminal/time.ts'

export async function listServers(client: RuntimeClient): Promise<CommandAnswer<ListedMcpServer[]>> {
  const all: ListedMcpServer[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'mcp_server_list'>> = await client.call('mcp_server_list', {
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  return { ok: true, value: all }
}

export async function findServer(client: RuntimeClient, server_id: string): Promise<CommandAnswer<ListedMcpServer>> {
  const all = await listServers(client)
  if (!all.ok) return all
  const found = all.value.find(({ preview }) => preview.server.server_id === server_id)
  if (found) return { ok: true, value: found }
  const message = `there is no server ${server_id}`
  return { ok: false, error: { code: 'not_found', message, remedy: 'List the servers with tandem mcp.' } }
}

/** For requests that need a connected server: one that was not started yet is started; one that was disconnected stays disconnected. */
export async function connectIfNeeded(client: RuntimeClient, server_id: string): Promise<CommandAnswer<McpServerStatus>> {
  const found = await findServer(client, server_id)
  if (!found.ok) return found
  const { status } = found.value
  if (status.state === 'connected' || status.state === 'degraded') return { ok: true, value: status }
  if (status.state === 'disconnected' && client.kind === 'attached') {
    const message = `${server_id} is disconnected`
    return { ok: false, error: { code: 'server_unavailable', message, remedy: `Connect it with tandem mcp connect ${server_id}.` } }
  }
  const connected = await client.call('mcp_server_connect', { server_id })
  return connected.ok ? { ok: true, value: connected.value.status } : connected
}

/** The next step as a `tandem` command, if the refusal does not name one. */
const steps: Readonly<Record<string, (server_id: string) => string>> = {
  consent_needed: (server_id) => `Review and approve what it runs with tandem mcp consent ${server_id}.`,
  definition_changed: (server_id) => `Review and approve what it runs now with tandem mcp consent ${server_id}.`,
  missing_secret: () => 'The command reads the value from standard input.',
  needs_sign_in: (server_id) => `Sign in with tandem mcp login ${server_id}.`,
  sign_in_expired: (server_id) => `Sign in again with tandem mcp login ${server_id}.`,
  client_id_needed: (server_id) => `Pass the client id with tandem mcp login ${server_id} --client-id ID.`,
  server_exited: (server_id) => `Show its log with tandem mcp logs ${server_id}.`,
  start_failed: (server_id) => `Show its log with tandem mcp logs ${server_id}.`,
  start_timed_out: (server_id) => `Show its log with tandem mcp logs ${server_id}.`,
  server_disabled: (server_id) => `Enable it with tandem mcp enable ${server_id}.`,
}

export function printServerRefusal(error: CommandError, server_id: string | null = null): number {
  printRefusal(error)
  const reason = error.failure_contract?.reason_code
  const step = server_id === null || reason === undefined || !Object.hasOwn(steps, reason) ? undefined : steps[reason]
  if (server_id !== null && step) console.error(`        ${step(server_id)}`)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}

/** The state of a server, or what the user must do first. */
function stateText(status: McpServerStatus): string {
  return needsSignIn(status) ? 'needs sign-in' : status.state
}

export function statusText(status: McpServerStatus): string {
  const { server_id, tool_count, heartbeat_at, server_name, server_version, protocol_version } = status
  const tools = `${tool_count} ${tool_count === 1 ? 'tool' : 'tools'}`
  const who = server_name === null ? '' : `, ${server_name} ${server_version ?? ''}`.trimEnd()
  const spoken = protocol_version === null ? '' : `, protocol ${protocol_version}`
  return `${server_id}: ${stateText(status)}, ${tools}${who}${spoken}${heartbeat_at === null ? '' : `, last heartbeat ${utcSecond(heartbeat_at)}`}`
}

/** One server in the list. */
export function serverRow({ preview, status, consent_problem, tool_tokens, folder }: ListedMcpServer): string[] {
  const { server, runs } = preview
  const signIn = needsSignIn(status) ? `sign in with tandem mcp login ${server.server_id}` : undefined
  const why = consent_problem?.details.message ?? signIn ?? status.failure_contract?.details.message.split('\n', 1)[0] ?? ''
  const use = [
    ...(folder === null ? [] : [`only in ${folder}`]),
    ...(server.agent_ids ? [`${server.agent_ids.length} ${server.agent_ids.length === 1 ? 'agent' : 'agents'}`] : []),
  ].join(', ')
  const note = server.enabled ? why || use : 'disabled'
  return [
    server.server_id,
    stateText(status),
    String(status.tool_count),
    tool_tokens === 0 ? '–' : String(tool_tokens),
    status.heartbeat_at === null ? '–' : utcSecond(status.heartbeat_at),
    runs,
    note,
  ]
}
