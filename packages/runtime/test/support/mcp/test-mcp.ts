// Real servers in real processes, with their own store; a test can control time.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxMode } from '@tandem/contract/tool'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { ToolContext } from '../../../src/call/context.ts'
import type { StreamingNetwork } from '../../../src/call/network.ts'
import type { CallScope } from '../../../src/call/scope.ts'
import type { Tool } from '../../../src/call/tool.ts'
import { type Clock, systemClock } from '../../../src/clock/clock.ts'
import { openAskingCalls } from '../../../src/mcp/ask/asking-calls.ts'
import { openSampling } from '../../../src/mcp/ask/sampling.ts'
import { definitionSha256 } from '../../../src/mcp/definition.ts'
import { openFolderServers } from '../../../src/mcp/folder/folder-servers.ts'
import type { HttpServer, McpPorts, StateChange, StdioServer } from '../../../src/mcp/ports.ts'
import { cacheVariables, fullScope, serverScope } from '../../../src/mcp/server-scope.ts'
import { type McpService, mcpService } from '../../../src/mcp/service.ts'
import { openConsents, openSecrets } from '../../../src/mcp/store.ts'
import { openCommandSandbox } from '../../../src/sandbox/command/sandbox.ts'
import { openNetwork } from '../../../src/sandbox/network/scoped-network.ts'
import { openRecords } from '../../../src/store/records.ts'
import { openSpool } from '../../../src/store/spool.ts'
import { openStore } from '../../../src/store/store.ts'
import { checkedResult } from '../tools/checked.ts'

const node = process.execPath
const hostile = fileURLToPath(new URL('./test-hostile-server.ts', import.meta.url))
const require = createRequire(import.meta.url)

export function officialServer(name: 'everything' | 'filesystem' | 'memory'): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js')
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** The official server, once it is listening. */
export async function everythingAt(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [officialServer('everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    if (!said.includes('listening')) continue
    // The output is not read from here on; it must not fill the pipe.
    child.stderr.resume()
    return child
  }
  throw new Error(`the server did not come up at port ${port}: ${said}`)
}

export function stdioServer(server_id: string, args: readonly string[], change: Partial<StdioServer> = {}): StdioServer {
  return {
    server_id,
    name: `The server ${server_id}`,
    enabled: true,
    auto_reconnect: true,
    default_approval_mode: 'required',
    transport: 'stdio',
    command: node,
    args: [...args],
    env_names: [],
    working_directory: null,
    ...change,
  }
}

export function hostileServer(behaviour: string, flag = '', change: Partial<StdioServer> = {}): StdioServer {
  return stdioServer('hostile', [hostile, behaviour, flag], change)
}

export function httpServer(server_id: string, url: string, change: Partial<HttpServer> = {}): HttpServer {
  return {
    server_id,
    name: `The server ${server_id}`,
    enabled: true,
    auto_reconnect: true,
    default_approval_mode: 'required',
    transport: 'http',
    url,
    header_names: [],
    query_names: [],
    ...change,
  }
}

export interface McpTestEnvironment {
  readonly service: McpService
  readonly ports: McpPorts
  readonly workspace: string
  readonly changes: StateChange[]
  /** What runs would receive, with the workspace they would work in. */
  readonly told: [string, string][]
  /** How often the tools changed. */
  readonly toolChanges: string[]
  readonly outbox: () => unknown[]
  /** Adds with consent, connects, and approves every tool in its current form. */
  add(server: StdioServer | HttpServer): Promise<void>
  tool(name: string): Tool
  run(name: string, input?: unknown, change?: Partial<ToolContext>): Promise<unknown>
  close(): Promise<void>
}

interface GroundOptions {
  readonly clock?: Clock
  readonly sandbox_mode?: SandboxMode
  readonly environment?: Record<string, string>
  readonly enforcement?: 'os' | 'none'
}

export function createMcpTestEnvironment(options: GroundOptions = {}): McpTestEnvironment {
  const { clock = systemClock, sandbox_mode = 'trusted', environment = {}, enforcement = 'os' } = options
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-mcp-')))
  const [workspace = '', temp = '', home = ''] = ['workspace', 'temp', 'home'].map((name) => join(root, name))
  for (const folder of [workspace, temp, home]) mkdirSync(folder)
  const store = openStore({ home, clock: systemClock })
  const sandbox = openCommandSandbox({ clock: systemClock, home, temp })
  const changes: StateChange[] = []
  const told: [string, string][] = []
  const toolChanges: string[] = []
  const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run', call_id: 'call' }
  const scope = (tool: string, hosts: readonly string[], change: Partial<CallScope> = {}): CallScope => ({
    ids,
    tool,
    workspace,
    temp,
    home,
    policy: { ...defaultToolPolicy('shell.exec'), network_scope: { hosts: [...hosts] } },
    sandbox_mode,
    report: () => undefined,
    ...change,
  })
  const ports: McpPorts = {
    clock,
    random: () => 0.5,
    version: '0.0.0',
    records: openRecords(store),
    consents: openConsents(store),
    secrets: openSecrets(store),
    environment,
    place: { workspace, sandbox_mode: 'workspace', ...fullScope },
    commandsFor: (server, consent, place, report) =>
      sandbox.runner(
        scope(`mcp.${server.server_id}`, consent.network_hosts, {
          workspace: place.workspace,
          report,
          policy: serverScope(server, consent, place, { temp, home, report }).policy,
          ...(place.sandbox_mode === 'strict' ? { sandbox_mode: 'strict' } : {}),
        }),
      ),
    folders: openFolderServers(store),
    originOf: () => null,
    asking: openAskingCalls({ clock, newId: store.newId, ask: () => undefined, withdraw: () => undefined }),
    sampling: openSampling({
      journal: { run: () => undefined },
      usage: { add: () => undefined },
      modelFor: () => null,
      reserve: () => () => undefined,
    }),
    environmentFor: () => cacheVariables(temp),
    networkFor: () => plainNetwork,
    // The real one: it decides which hosts a sign-in reaches.
    signInNetworkFor: (server, consent, hosts) =>
      openNetwork(scope(`mcp.${server.server_id}`, [...hosts, ...consent.network_hosts], { sandbox_mode: 'workspace' })),
    enforcement: () => enforcement,
    emit: (change) => changes.push(change),
    told: (_server, place, change) => told.push([place.workspace, change.data.to_state]),
    toolsChanged: (server_id) => toolChanges.push(server_id),
  }
  const service = mcpService(ports)

  function tool(name: string): Tool {
    const found = service.tools().find((each) => each.name === name)
    if (!found) throw new Error(`there is no tool ${name} among ${service.tools().map((each) => each.name)}`)
    return found
  }

  return {
    service,
    ports,
    workspace,
    changes,
    told,
    toolChanges,
    outbox: () => store.sql.all`SELECT entity_type, entity_id, op FROM outbox ORDER BY no`.map((row) => ({ ...row })),
    async add(server) {
      const added = await service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
      if (!added.ok) throw new Error(added.failure.message)
      const connected = await service.connectServer(server.server_id)
      if (!connected.ok) throw new Error(connected.failure.message)
      const listed = service.listTools(server.server_id)
      if (listed.ok) for (const { tool } of listed.value.tools) service.approveTool(tool.tool, tool.fingerprint)
    },
    tool,
    run: (name, input = {}, change = {}) =>
      checkedResult(tool(name), tool(name).run(input as never, { ...contextFor(scope(name, fullScope.hosts), temp), ...change })),
    async close() {
      await service.stop()
      await sandbox.stop()
      store.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function contextFor(scope: CallScope, temp: string): ToolContext {
  const absent = new Proxy(
    {},
    {
      get() {
        throw new Error('an MCP tool has no use for this port')
      },
    },
  )
  return {
    ...scope,
    signal: new AbortController().signal,
    clock: systemClock,
    files: absent as ToolContext['files'],
    network: absent as ToolContext['network'],
    commands: absent as ToolContext['commands'],
    spool: (name) => openSpool(join(temp, 'spool'), name),
    progress: () => undefined,
  }
}

const plainNetwork: StreamingNetwork = {
  async stream({ url, method, headers, body }, signal) {
    const answer = await fetch(url, { method, headers: { ...headers }, body, signal, redirect: 'manual' })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body }
  },
}
