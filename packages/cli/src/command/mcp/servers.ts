// Lists the servers, and changes one of them.
import { readFileSync } from 'node:fs'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { table } from '../../terminal/table.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { findServer, listServers, printServerRefusal, serverRow, statusText } from './server.ts'

const asJson = { json: { type: 'boolean', default: false } } as const

export const listUsage = explainedUsage(
  'tandem mcp [list] [--json]',
  'Lists the servers: state, tools, what the tools cost in each request (tokens, estimated), last heartbeat, and why a server is not started.',
)

export async function list(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, asJson, listUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, listUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const all = await listServers(client)
    if (!all.ok) return printServerRefusal(all.error)
    if (given.values.json) for (const one of all.value) console.log(JSON.stringify(one))
    else if (all.value.length === 0)
      console.log('There are no MCP servers yet. Add one with tandem mcp add, or import them with tandem mcp import FILE.')
    else console.log(table([['server', 'state', 'tools', 'tokens', 'last heartbeat', 'runs', ''], ...all.value.map(serverRow)]))
    return 0
  })
}

type Doing = (client: RuntimeClient, server_id: string, json: boolean) => Promise<number>

/** An action that takes one server. */
function toOne(verb: string, doing: Doing): (args: readonly string[]) => Promise<number> {
  const usage = `tandem mcp ${verb} SERVER [--json]`
  return async (args) => {
    const given = parseArguments(args, asJson, usage)
    if (!given.ok) return given.code
    const [server_id, ...more] = given.words
    if (server_id === undefined || more.length > 0) return printUsage('specify one server', usage)
    return await withRuntimeClient(process.cwd(), (client) => doing(client, server_id, given.values.json))
  }
}

export const test = toOne('test', async (client, server_id, json) => {
  const tested = await client.call('mcp_server_test', { server_id })
  if (!tested.ok) return printServerRefusal(tested.error, server_id)
  console.log(json ? JSON.stringify(tested.value.status) : statusText(tested.value.status))
  return 0
})

export const connect = toOne('connect', async (client, server_id, json) => {
  const connected = await client.call('mcp_server_connect', { server_id })
  if (!connected.ok) return printServerRefusal(connected.error, server_id)
  console.log(json ? JSON.stringify(connected.value.status) : statusText(connected.value.status))
  if (client.kind === 'own')
    console.error('The server stops when this command ends, because Tandem is not running. To keep it connected, run tandem start.')
  return 0
})

export const disconnect = toOne('disconnect', async (client, server_id, json) => {
  const ended = await client.call('mcp_server_disconnect', { server_id })
  if (!ended.ok) return printServerRefusal(ended.error, server_id)
  console.log(json ? JSON.stringify(ended.value.status) : statusText(ended.value.status))
  return 0
})

export const remove = toOne('remove', async (client, server_id, json) => {
  const removed = await client.call('mcp_server_remove', { server_id })
  if (!removed.ok) return printServerRefusal(removed.error, server_id)
  console.log(json ? JSON.stringify(removed.value) : `Removed ${server_id}, with its approval and its secrets on this device.`)
  return 0
})

export const revoke = toOne('revoke', async (client, server_id, json) => {
  const revoked = await client.call('mcp_server_revoke', { server_id })
  if (!revoked.ok) return printServerRefusal(revoked.error, server_id)
  console.log(
    json ? JSON.stringify(revoked.value.server) : `${server_id} was stopped and will not start on this device until you approve it again.`,
  )
  return 0
})

export const enable = toOne('enable', (client, server_id, json) => switched(client, server_id, json, 'enabled'))
export const disable = toOne('disable', (client, server_id, json) => switched(client, server_id, json, 'disabled'))

async function switched(client: RuntimeClient, server_id: string, json: boolean, to: 'enabled' | 'disabled'): Promise<number> {
  const found = await findServer(client, server_id)
  if (!found.ok) return printServerRefusal(found.error)
  const server = { ...found.value.preview.server, enabled: to === 'enabled' }
  const updated = await client.call('mcp_server_update', { server, consent: null })
  if (!updated.ok) return printServerRefusal(updated.error, server_id)
  console.log(json ? JSON.stringify(updated.value.server) : `${server_id} is ${to}.`)
  return 0
}

/** The log of a server; one that was not started yet is tested, so that there is a log. */
export const logs = toOne('logs', async (client, server_id, json) => {
  const found = await findServer(client, server_id)
  if (!found.ok) return printServerRefusal(found.error)
  if (found.value.status.state === 'created') await client.call('mcp_server_test', { server_id })
  const read = await client.call('mcp_server_read_log', { server_id })
  if (!read.ok) return printServerRefusal(read.error, server_id)
  const { lines, dropped_lines } = read.value
  if (json) for (const line of lines) console.log(JSON.stringify(line))
  else if (lines.length === 0) console.log(`${server_id} has not logged anything.`)
  else for (const { ts, source, text } of lines) console.log(`${ts} ${source.padEnd(6)} ${stripControls(text)}`)
  if (dropped_lines > 0) console.error(`${dropped_lines} older ${dropped_lines === 1 ? 'line was' : 'lines were'} deleted.`)
  return 0
})

export const secretUsage = explainedUsage(
  'tandem mcp secret SERVER env|header|query NAME',
  'Reads the value of a variable, header or query field from standard input. It stays on this device.',
)
const kinds = ['env', 'header', 'query'] as const

/** A value is never an argument, because other users can read those. */
export async function secret(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, {}, secretUsage)
  if (!given.ok) return given.code
  const [server_id, wanted, name, ...more] = given.words
  const kind = kinds.find((one) => one === wanted)
  if (server_id === undefined || !kind || name === undefined || more.length > 0)
    return printUsage('specify a server, a kind and a name', secretUsage)
  if (process.stdin.isTTY) console.error(`Enter the value of ${name}, then press Ctrl-D:`)
  const value = readFileSync(0, 'utf8').replace(/\r?\n$/, '')
  if (value === '') return printUsage('no value was sent on standard input', secretUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const set = await client.call('mcp_server_set_secret', { server_id, kind, name, value })
    if (!set.ok) return printServerRefusal(set.error, server_id)
    console.log(`${server_id} now receives ${name}; the value stays on this device.`)
    return 0
  })
}
