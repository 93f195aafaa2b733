import type {
  CommandErrorCode,
  McpFolder as ListedMcpFolder,
  ListedMcpServer,
  ListedMcpTool,
  McpServerPreview,
} from '@tandem/contract/command'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import type { Outcome } from '../feature/outcome.ts'
import { failureContract, type McpFailure, type McpOutcome, type McpReason } from './failure.ts'
import type { McpFolder } from './folder/folder-consent.ts'
import type { ListedServer } from './servers.ts'
import type { McpService } from './service.ts'
import type { ListedTool } from './tool/inspected-tools.ts'

export interface McpCommandPorts {
  /** What the tools of a server cost in a request that lists them. */
  tokensOf(server_id: string): number
  /** The real path of a folder that agents may work in. */
  folder(path: string): Outcome<string>
}

export function mcpHandlers(mcp: McpService, { tokensOf, folder }: McpCommandPorts): CommandTable {
  const server = (listed: ListedServer) => listedServer(listed, tokensOf(listed.preview.server.server_id))
  const shown = (outcome: McpOutcome<ListedServer>) => told(outcome, (listed) => ({ server: server(listed) }))
  async function inFolder(path: string, use: (real: string) => Promise<McpOutcome<McpFolder>>) {
    const found = folder(path)
    return found.ok ? told(await use(found.value), (value) => ({ folder: listedFolder(value) })) : found
  }
  return {
    mcp_server_list: (paging) => pageBy('mcp_server_list', mcp.listServers().map(server), (one) => one.preview.server.server_id, paging),
    mcp_server_preview: (params) => told(mcp.previewServer(params.server), (value) => ({ preview: preview(value) })),
    mcp_server_add: async (params) => shown(await mcp.addServer(params.server, params.consent)),
    mcp_server_update: async (params) => shown(await mcp.updateServer(params.server, params.consent)),
    mcp_server_remove: async ({ server_id }) => told(await mcp.removeServer(server_id), (value) => value),
    mcp_server_consent: async ({ server_id, ...consent }) => shown(await mcp.approveServer(server_id, consent)),
    mcp_server_revoke: async ({ server_id }) => shown(await mcp.revokeServer(server_id)),
    mcp_server_allow_sampling: async ({ server_id, requests_per_run }) => shown(await mcp.allowSampling(server_id, requests_per_run)),
    mcp_server_set_secret: async ({ server_id, kind, name, value }) => shown(await mcp.setSecret(server_id, kind, name, value)),
    mcp_import_preview: async ({ text }) =>
      told(await mcp.previewImport(text), ({ servers, problems, notes }) => ({
        servers: servers.map(preview),
        problems: [...problems],
        notes: [...notes],
      })),
    mcp_import: async ({ text, consents }) =>
      told(await mcp.importServers(text, consents), (servers) => ({ servers: servers.map(server) })),
    mcp_folder_get: ({ workspace }) => inFolder(workspace, mcp.readFolder),
    mcp_folder_consent: ({ workspace, file_sha256, consents }) =>
      inFolder(workspace, (real) => mcp.approveFolder(real, file_sha256, consents)),
    mcp_folder_revoke: ({ workspace }) => inFolder(workspace, mcp.revokeFolder),
    mcp_server_sign_in: async ({ server_id, ...request }) =>
      told(await mcp.beginSignIn(server_id, request), ({ hosts, ...begun }) => ({ sign_in: { ...begun, hosts: [...hosts] } })),
    mcp_server_wait_sign_in: async ({ sign_in_id, timeout_seconds = 25 }) =>
      told(await mcp.waitForSignIn(sign_in_id, timeout_seconds * 1_000), (state) => ({ state })),
    mcp_server_cancel_sign_in: ({ sign_in_id }) => told(mcp.cancelSignIn(sign_in_id), (value) => value),
    mcp_server_sign_out: async ({ server_id }) => shown(await mcp.signOut(server_id)),
    mcp_server_test: async ({ server_id }) => told(await mcp.testServer(server_id), (status) => ({ status })),
    mcp_server_connect: async ({ server_id }) => told(await mcp.connectServer(server_id), (status) => ({ status })),
    mcp_server_disconnect: async ({ server_id }) => told(await mcp.disconnectServer(server_id), (status) => ({ status })),
    async mcp_tool_list({ server_id, refresh = false, ...paging }) {
      const refreshed = refresh ? await mcp.refreshTools(server_id) : null
      if (refreshed && !refreshed.ok) return refused(refreshed.failure)
      const listed = mcp.listTools(server_id)
      return listed.ok
        ? pageBy(`mcp_tool_list ${server_id}`, listed.value.tools.map(tool), (one) => one.tool.tool, paging)
        : refused(listed.failure)
    },
    mcp_tool_consent: (params) => told(mcp.approveTool(params.tool, params.fingerprint), (listed) => ({ tool: tool(listed) })),
    mcp_server_read_log: ({ server_id }) =>
      told(mcp.readLog(server_id), ({ lines, dropped_lines }) => ({ lines: lines.map((line) => ({ ...line })), dropped_lines })),
    async mcp_resource_list({ server_id, ...paging }) {
      const listed = await mcp.listResources(server_id)
      if (!listed.ok) return refused(listed.failure)
      const { resources, templates } = listed.value
      const all = [
        ...resources.map((one) => ({ kind: 'resource' as const, uri: textAt(one, 'uri'), answer: JSON.stringify(one) })),
        ...templates.map((one) => ({ kind: 'template' as const, uri: textAt(one, 'uriTemplate'), answer: JSON.stringify(one) })),
      ].filter(({ uri }) => uri !== '')
      return pageByName(`mcp_resource_list ${server_id}`, all, ({ kind, uri }) => `${kind} ${uri}`, paging)
    },
    mcp_resource_read: async ({ server_id, uri }) =>
      told(await mcp.readResource(server_id, uri, unstopped()), (answer) => ({ answer: JSON.stringify(answer) })),
    async mcp_prompt_list({ server_id, ...paging }) {
      const listed = await mcp.listPrompts(server_id)
      if (!listed.ok) return refused(listed.failure)
      const all = listed.value.map((one) => ({ name: textAt(one, 'name'), answer: JSON.stringify(one) })).filter(({ name }) => name !== '')
      return pageByName(`mcp_prompt_list ${server_id}`, all, ({ name }) => name, paging)
    },
    async mcp_prompt_get({ server_id, name, values }) {
      const filled = Object.fromEntries(values.map((value) => [value.name, value.value]))
      return told(await mcp.getPrompt(server_id, name, filled, unstopped()), (answer) => ({ answer: JSON.stringify(answer) }))
    },
  }
}

/**
 * An item without a name cannot be requested. A server may use one name many times: it is listed once, so that a cursor points to one item.
 */
const pageByName: typeof pageBy = (list, all, nameOf, paging) =>
  pageBy(list, [...new Map(all.map((item) => [nameOf(item), item])).values()], nameOf, paging)

/** Failures with their own code; all others mean that the server is not available. */
const codes: Partial<Record<McpReason, CommandErrorCode>> = {
  unknown_server: 'not_found',
  tool_missing: 'not_found',
  not_offered: 'not_found',
  invalid_definition: 'invalid_params',
  forbidden_variable: 'invalid_params',
  server_exists: 'invalid_params',
  server_of_folder: 'invalid_params',
  server_disabled: 'transition_refused',
  stale_approval: 'version_conflict',
  consent_needed: 'consent_needed',
  definition_changed: 'consent_needed',
  missing_secret: 'consent_needed',
  tool_changed: 'consent_needed',
  tool_not_approved: 'consent_needed',
  needs_sign_in: 'consent_needed',
  sign_in_expired: 'consent_needed',
  sign_in_not_offered: 'invalid_params',
  client_id_needed: 'invalid_params',
  unknown_sign_in: 'not_found',
  canceled: 'canceled',
}

function refused(failure: McpFailure): Outcome<never> {
  return {
    ok: false,
    code: codes[failure.reason_code] ?? 'server_unavailable',
    message: failure.message,
    failure_contract: failureContract(failure),
    ...(failure.field === undefined ? {} : { fields: [failure.field] }),
  }
}

function told<Value, Told>(outcome: McpOutcome<Value>, tell: (value: Value) => Told): Outcome<Told> {
  return outcome.ok ? { ok: true, value: tell(outcome.value) } : refused(outcome.failure)
}

function listedFolder({ servers, problems, notes, ...folder }: McpFolder): ListedMcpFolder {
  return {
    ...folder,
    servers: servers.map(({ preview: seen, approved }) => ({ preview: preview(seen), approved })),
    problems: [...problems],
    notes: [...notes],
  }
}

function listedServer(
  { preview: seen, status, consent_problem, network_hosts, sign_in, folder, sampling_limit }: ListedServer,
  tool_tokens: number,
): ListedMcpServer {
  return {
    tool_tokens,
    folder,
    sampling_limit,
    network_hosts: [...network_hosts],
    preview: preview(seen),
    status,
    consent_problem: consent_problem && failureContract(consent_problem),
    sign_in,
  }
}

function preview({ secret_names, warnings, ...seen }: ListedServer['preview']): McpServerPreview {
  return { ...seen, secret_names: [...secret_names], warnings: [...warnings] }
}

function tool({ suspicions, ...listed }: ListedTool): ListedMcpTool {
  return { ...listed, suspicions: suspicions.map((one) => ({ ...one })) }
}

/** From an untrusted server: the field may be missing or contain anything. */
function textAt(value: unknown, name: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === 'string' ? found.slice(0, 4_096) : ''
}

/** A command cannot be canceled; the timeout of the connection ends it. */
function unstopped(): AbortSignal {
  return new AbortController().signal
}
