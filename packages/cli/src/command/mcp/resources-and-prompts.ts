// What a server offers besides tools: resources to read, prompts to fill in.
import type { CommandResult } from '@tandem/contract/command'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { table } from '../../terminal/table.ts'
import { singleLine, stripControls } from '../../terminal/terminal-text.ts'
import { connectIfNeeded, printServerRefusal } from './server.ts'

export const resourcesUsage = 'tandem mcp resources SERVER [URI] [--json]'
export const promptsUsage = 'tandem mcp prompts SERVER [PROMPT [NAME=VALUE]…] [--json]'

const asJson = { json: { type: 'boolean', default: false } } as const

export async function resources(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, asJson, resourcesUsage)
  if (!given.ok) return given.code
  const [server_id, uri, ...more] = given.words
  if (server_id === undefined || more.length > 0)
    return printUsage('specify one server, and optionally one of its resources', resourcesUsage)
  return await withServer(server_id, async (client) => {
    if (uri === undefined)
      return await listed(server_id, given.values.json, (page) => client.call('mcp_resource_list', { server_id, ...page }))
    const read = await client.call('mcp_resource_read', { server_id, uri })
    return told(read, server_id, given.values.json, (answer) => partsOf(answer.contents).map(contentText))
  })
}

export async function prompts(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, asJson, promptsUsage)
  if (!given.ok) return given.code
  const [server_id, name, ...pairs] = given.words
  if (server_id === undefined) return printUsage('specify one server, and optionally one of its prompts', promptsUsage)
  const odd = pairs.find((pair) => !/^[^=]+=/.test(pair))
  if (odd !== undefined) return printUsage(`"${odd}" is not of the form NAME=VALUE`, promptsUsage)
  const values = pairs.map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1) }))
  return await withServer(server_id, async (client) => {
    if (name === undefined)
      return await listed(server_id, given.values.json, (page) => client.call('mcp_prompt_list', { server_id, ...page }))
    const filled = await client.call('mcp_prompt_get', { server_id, name, values })
    return told(filled, server_id, given.values.json, (answer) =>
      partsOf(answer.messages).map(
        (message) => `${stripControls(textAt(message, 'role'))}: ${contentText(partsOf([message.content])[0] ?? {})}`,
      ),
    )
  })
}

async function withServer(server_id: string, work: (client: RuntimeClient) => Promise<number>): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const there = await connectIfNeeded(client, server_id)
    return there.ok ? await work(client) : printServerRefusal(there.error, server_id)
  })
}

type Page = CommandResult<'mcp_resource_list'> | CommandResult<'mcp_prompt_list'>

async function listed(
  server_id: string,
  json: boolean,
  ask: (page: { limit: number; cursor?: string }) => Promise<CommandAnswer<Page>>,
): Promise<number> {
  const rows: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<Page> = await ask({ limit: 200, ...(cursor ? { cursor } : {}) })
    if (!page.ok) return printServerRefusal(page.error, server_id)
    for (const item of page.value.items) {
      if (json) console.log(item.answer)
      const about = parts(item.answer)
      const words = singleLine(textAt(about, 'description') || textAt(about, 'title'), 80)
      rows.push('uri' in item ? [item.kind, item.uri, textAt(about, 'name'), words] : [item.name, argumentsOf(about), words])
    }
    cursor = page.value.next_cursor
  }
  if (!json) console.log(rows.length === 0 ? `${server_id} offers none.` : table(rows))
  return 0
}

function told(
  answer: CommandAnswer<{ readonly answer: string }>,
  server_id: string,
  json: boolean,
  tell: (answer: Record<string, unknown>) => readonly string[],
): number {
  if (!answer.ok) return printServerRefusal(answer.error, server_id)
  console.log(json ? answer.value.answer : tell(parts(answer.value.answer)).join('\n'))
  return 0
}

/** Its content is untrusted: any field may be missing, or have any value. */
function parts(answer: string): Record<string, unknown> {
  return partsOf([JSON.parse(answer)])[0] ?? {}
}

function partsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function textAt(value: Record<string, unknown>, name: string): string {
  return typeof value[name] === 'string' ? value[name] : ''
}

function contentText(part: Record<string, unknown>): string {
  const inner = partsOf([part.resource])[0] ?? part
  if (typeof inner.text === 'string') return stripControls(inner.text)
  const bytes = textAt(inner, 'blob') || textAt(inner, 'data')
  return `[${stripControls(textAt(inner, 'mimeType') || textAt(inner, 'type') || 'unknown type')}, ${Buffer.byteLength(bytes, 'base64')} bytes; --json shows them]`
}

function argumentsOf(prompt: Record<string, unknown>): string {
  return partsOf(prompt.arguments)
    .map((one) => (one.required === true ? textAt(one, 'name') : `[${textAt(one, 'name')}]`))
    .join(' ')
}
