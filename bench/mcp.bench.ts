// The cost of an MCP call in a run with every feature on (policy, intent and result on disk, a supervised server in the sandbox),
// compared with the protocol's own SDK calling the same server directly; the limit is that SDK with intent and result synced to a file.
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpServer } from '../packages/contract/src/mcp/index.ts'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { startTestHttpServers } from '../packages/runtime/test/support/mcp/test-http-server.ts'
import { largeServer } from '../packages/runtime/test/support/mcp/test-large-server.ts'
import { everythingAt, freePort, officialServer } from '../packages/runtime/test/support/mcp/test-mcp.ts'
import { type Script, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { type Bench, type BenchRow, median } from './bench.ts'

const calls = 50
const rounds = 9
const warmUp = 2
const manyTools = 400

const runtimeRequire = createRequire(new URL('../packages/runtime/package.json', import.meta.url))
const everything = officialServer('everything')

export const bench: Bench = {
  name: 'mcp',
  summary: `echo of the official everything server, ${calls} calls one after the other, medians of ${rounds}, compared with the bare SDK; a turn with ${manyTools} tools of 20 servers, found by search, compared with all of them listed`,
  async run(progress) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
    const port = await freePort()
    const listening = await everythingAt(port)
    try {
      const rows: BenchRow[] = []
      for (const over of ['stdio', 'http'] as const) {
        progress(over)
        rows.push(await measure(over, `http://127.0.0.1:${port}/mcp`, join(folder, over)))
      }
      progress(`${manyTools} tools`)
      return [...rows, ...(await measureTools(join(folder, 'tools')))]
    } finally {
      listening.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure(over: 'stdio' | 'http', url: string, folder: string): Promise<BenchRow> {
  const ours = await openOurs(over, url, folder)
  const bare = await openBare(over, url)
  const kept = openSync(join(folder, 'kept'), 'a')
  const record = () => {
    writeSync(kept, line)
    fsyncSync(kept)
  }
  const took = { ours: [] as number[], bare: [] as number[], recorded: [] as number[], turn: [] as number[] }
  try {
    // Alternating, so that a slow moment of the machine affects all of them.
    for (let round = -warmUp; round < rounds; round += 1) {
      const turn = await timed(() => ours.run(0))
      const called = await timed(() => ours.run(calls))
      const alone = await timed(() => bare.call(calls, () => undefined))
      const recorded = await timed(() => bare.call(calls, record))
      if (round < 0) continue
      took.turn.push(turn)
      took.ours.push(called)
      took.bare.push(alone)
      took.recorded.push(recorded)
    }
  } finally {
    closeSync(kept)
    await bare.close()
    await ours.close()
  }
  // A run without a call is the cost of the loop itself.
  const each = (median(took.ours) - median(took.turn)) / calls
  return {
    metric: `one call over ${over}`,
    unit: 'ms',
    better: 'lower',
    ours: each,
    peers: { 'bare SDK': median(took.bare) / calls },
    limit: median(took.recorded) / calls,
    target: null,
    met: null,
  }
}

/** What a turn costs with 20 servers and 400 tools: all of them in the request, or found with `tool.search`. */
async function measureTools(folder: string): Promise<BenchRow[]> {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const topics = Array.from({ length: 20 }, (_, no) => `topic${no}`)
  const servers = await startTestHttpServers((topic) => largeServer(topic, manyTools / topics.length))
  const model = await startTestModel(() => ({ text: 'Done.' }))
  const { PATH, HOME } = process.env
  const environment = {
    ...{ PATH, HOME, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'bench' },
    // A smaller context window would get shortened descriptions.
    TANDEM_MODEL_WINDOW: '1000000',
  }
  const { commands, settled, stop } = openRuntime({
    home: join(folder, 'home'),
    workspace,
    environment,
    log: (text) => console.error(text),
  })
  const turn = async (agent_id: string) => {
    const { conversation } = await must(commands.call('conversation_create', { agent_id, workspace }))
    const { run } = await must(commands.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go' }))
    await settled(run.run_id)
  }
  const budget = (value: number) =>
    must(commands.call('runtime_set_settings', { sections: [{ section: 'mcp', setting: 'tool_tokens', value }] }))
  try {
    for (const topic of topics) {
      const server = { ...definitionOf('http', servers.urlOf(topic)), server_id: topic, name: topic }
      const { preview } = await must(commands.call('mcp_server_preview', { server }))
      const consent = { definition_sha256: preview.definition_sha256, network_hosts: [] }
      await must(commands.call('mcp_server_add', { server, consent }))
      await must(commands.call('mcp_server_connect', { server_id: topic }))
    }
    const { agent } = await must(commands.call('agent_create', { name: 'Bench' }))
    const took = { found: [] as number[], listed: [] as number[] }
    const tokens = { found: 0, listed: 0 }
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const way of ['found', 'listed'] as const) {
        await budget(way === 'found' ? 10_000 : 1_000_000)
        const ms = await timed(() => turn(agent.agent_id))
        tokens[way] = Math.ceil(JSON.stringify(model.requests.at(-1)).length / 4)
        if (round >= 0) took[way].push(ms)
      }
    }
    const shared = { better: 'lower' as const, limit: null, target: null, met: null }
    return [
      { ...shared, metric: `request with ${manyTools} tools`, unit: 'tokens', ours: tokens.found, peers: { 'all listed': tokens.listed } },
      {
        ...shared,
        metric: `turn with ${manyTools} tools`,
        unit: 'ms',
        ours: median(took.found),
        peers: { 'all listed': median(took.listed) },
      },
    ]
  } finally {
    await stop()
    await model.close()
    servers.close()
  }
}

const line = `${JSON.stringify({ kind: 'step', body: 'x'.repeat(400) })}\n`

/** `bench: N` requests this many calls in one turn. */
const script: Script = (_, { messages }) => {
  const last = messages.at(-1)
  const [, count = '0'] = (last?.role === 'user' && /bench: (\d+)/.exec(JSON.stringify(last.content))) || []
  if (count === '0') return { text: 'Done.' }
  return { calls: Array.from({ length: Number(count) }, (_each, no) => ({ name: 'mcp.all.echo', arguments: { message: `call ${no}` } })) }
}

async function openOurs(over: 'stdio' | 'http', url: string, folder: string) {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const model = await startTestModel(script)
  const { PATH, HOME } = process.env
  const environment = { PATH, HOME, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'bench' }
  const { commands, settled, stop } = openRuntime({
    home: join(folder, 'home'),
    workspace,
    environment,
    log: (line) => console.error(line),
  })
  const { agent } = await must(commands.call('agent_create', { name: 'Bench', max_turns: 10_000 }))
  const { agent_id } = agent
  const server = definitionOf(over, url)
  const { preview } = await must(commands.call('mcp_server_preview', { server }))
  await must(commands.call('mcp_server_add', { server, consent: { definition_sha256: preview.definition_sha256, network_hosts: [] } }))
  await must(commands.call('mcp_server_connect', { server_id: 'all' }))
  const { items } = await must(commands.call('mcp_tool_list', { server_id: 'all', limit: 100 }))
  const tool = items.find((one) => one.tool.remote_name === 'echo')?.tool
  if (!tool) throw new Error('the server offers no echo')
  await must(commands.call('mcp_tool_consent', { tool: tool.tool, fingerprint: tool.fingerprint }))
  const { policy } = await must(commands.call('agent_tool_policy_get', { agent_id, tool: tool.tool }))
  const set = { ...policy.policy, approval_mode: 'auto', rate_limit: { calls: 100_000, per_seconds: 60 } } as const
  await must(commands.call('agent_tool_policy_set', { agent_id, tool: tool.tool, policy: set }))

  return {
    async run(count: number) {
      const { conversation } = await must(commands.call('conversation_create', { agent_id, workspace }))
      const { run } = await must(
        commands.call('agent_run_start', { conversation_id: conversation.conversation_id, text: `bench: ${count}` }),
      )
      await settled(run.run_id)
      const { run: ended } = await must(commands.call('agent_run_get', { run_id: run.run_id }))
      if (ended.state !== 'completed') throw new Error(`the run ended ${ended.state}: ${JSON.stringify(ended.failure_contract)}`)
    },
    async close() {
      await stop()
      await model.close()
    },
  }
}

/** The part of the SDK's client that is used. */
interface BareClient {
  connect(transport: unknown): Promise<void>
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<unknown>
  close(): Promise<void>
}

async function openBare(over: 'stdio' | 'http', url: string) {
  const from = (path: string) => import(runtimeRequire.resolve(`@modelcontextprotocol/sdk/client/${path}.js`))
  const { Client } = await from('index')
  const client: BareClient = new Client({ name: 'bare', version: '1' })
  const transport =
    over === 'stdio'
      ? new (await from('stdio')).StdioClientTransport({ command: process.execPath, args: [everything], stderr: 'ignore' })
      : new (await from('streamableHttp')).StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return {
    async call(count: number, record: () => void) {
      for (let no = 0; no < count; no += 1) {
        record()
        await client.callTool({ name: 'echo', arguments: { message: `call ${no}` } })
        record()
      }
    },
    close: () => client.close(),
  }
}

function definitionOf(over: 'stdio' | 'http', url: string): McpServer {
  const shared = { server_id: 'all', name: 'all', enabled: true, auto_reconnect: true, default_approval_mode: 'required' as const }
  if (over === 'http') return { ...shared, transport: 'http', url, header_names: [], query_names: [] }
  return { ...shared, transport: 'stdio', command: process.execPath, args: [everything], env_names: [], working_directory: null }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function must<Value>(answer: Promise<{ ok: true; value: Value } | { ok: false; error: { message: string } }>): Promise<Value> {
  const given = await answer
  if (!given.ok) throw new Error(given.error.message)
  return given.value
}
