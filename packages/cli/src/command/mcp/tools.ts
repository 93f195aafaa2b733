import type { CommandResult, ListedMcpTool } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { confirm } from '../../terminal/confirm.ts'
import { codeText } from '../../terminal/refusal.ts'
import { styled } from '../../terminal/style.ts'
import { table } from '../../terminal/table.ts'
import { escapeControls, singleLine } from '../../terminal/terminal-text.ts'
import { connectIfNeeded, printServerRefusal } from './server.ts'

export const toolsUsage = explainedUsage(
  'tandem mcp tools SERVER [TOOL] [--refresh] [--json]',
  'Lists the tools of a server, or shows one in full, with anything suspicious about it. --refresh: ask the server again.',
)
export const approveUsage = explainedUsage(
  'tandem mcp approve SERVER TOOL [--consent FINGERPRINT] [--json]',
  'Approves a tool in its current form, including one that is hidden from agents. --consent: the fingerprint that tools shows.',
)

/** All tools in short, or one in full, with what is suspicious about its description. */
export async function tools(args: readonly string[]): Promise<number> {
  const given = parseArguments(
    args,
    { refresh: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    toolsUsage,
  )
  if (!given.ok) return given.code
  const [server_id, wanted, ...more] = given.words
  if (server_id === undefined || more.length > 0) return printUsage('specify one server, and optionally one of its tools', toolsUsage)
  const { refresh, json } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const all = await everyTool(client, server_id, refresh)
    if (!all.ok) return printServerRefusal(all.error, server_id)
    if (wanted !== undefined) {
      const one = toolNamed(all.value, server_id, wanted)
      if (!one.ok) return printServerRefusal(one.error)
      console.log(json ? JSON.stringify(one.value) : toolText(one.value))
    } else if (json) for (const one of all.value) console.log(JSON.stringify(one))
    else if (all.value.length === 0) console.log(`${server_id} offers no tools.`)
    else console.log(table(all.value.map(rowOf)))
    return 0
  })
}

/** Approves a tool as its server describes it now; a suspicious one is not offered to any model before that. */
export async function approve(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { consent: { type: 'string' }, json: { type: 'boolean', default: false } }, approveUsage)
  if (!given.ok) return given.code
  const [server_id, wanted, ...more] = given.words
  if (server_id === undefined || wanted === undefined || more.length > 0)
    return printUsage('specify one server and one of its tools', approveUsage)
  const { consent, json } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const all = await everyTool(client, server_id, false)
    if (!all.ok) return printServerRefusal(all.error, server_id)
    const one = toolNamed(all.value, server_id, wanted)
    if (!one.ok) return printServerRefusal(one.error)
    const { tool, fingerprint, remote_name } = one.value.tool
    console.error(toolText(one.value))
    const answer = consent === undefined ? await confirm('Make this tool available to agents?') : 'yes'
    if (answer === null) {
      console.error(`tandem: ${tool} needs your approval${codeText('consent_needed')}`)
      console.error(`        Approve it with tandem mcp approve ${server_id} ${escapeControls(remote_name)} --consent ${fingerprint}`)
      return exitCodes.paused
    }
    if (answer === 'no') return exitCodes.failed
    const said = await client.call('mcp_tool_consent', { tool, fingerprint: consent ?? fingerprint })
    if (!said.ok) return printServerRefusal(said.error, server_id)
    console.log(json ? JSON.stringify(said.value.tool) : `${tool} is approved in its current form; its policy still applies to each call.`)
    return 0
  })
}

async function everyTool(client: RuntimeClient, server_id: string, refresh: boolean): Promise<CommandAnswer<ListedMcpTool[]>> {
  const there = await connectIfNeeded(client, server_id)
  if (!there.ok) return there
  const all: ListedMcpTool[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'mcp_tool_list'>> = await client.call('mcp_tool_list', {
      server_id,
      limit: 200,
      ...(cursor ? { cursor } : refresh ? { refresh } : {}),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  return { ok: true, value: all }
}

function toolNamed(all: readonly ListedMcpTool[], server_id: string, wanted: string): CommandAnswer<ListedMcpTool> {
  const found = all.find(({ tool }) => tool.remote_name === wanted) ?? all.find(({ tool }) => tool.tool === wanted)
  if (found) return { ok: true, value: found }
  const remedy = `List its tools with tandem mcp tools ${server_id}.`
  return { ok: false, error: { code: 'not_found', message: `${server_id} has no tool ${wanted}`, remedy } }
}

function rowOf({ tool, standing, withheld, left_out }: ListedMcpTool): string[] {
  return [tool.tool, left_out ? 'left out' : withheld ? 'hidden' : standing, singleLine(tool.description, 80)]
}

/** Every character of it: the user decides by this. */
function toolText({ tool, standing, withheld, suspicions }: ListedMcpTool): string {
  return [
    styled('bold', `${escapeControls(tool.tool)} (${standing}${withheld ? ', hidden from agents' : ''})`),
    ...(tool.title === null ? [] : [escapeControls(tool.title)]),
    escapeControls(tool.description) || '(no description)',
    `input ${escapeControls(tool.input_schema)}`,
    ...(tool.output_schema === null ? [] : [`output ${escapeControls(tool.output_schema)}`]),
    ...suspicions.map(({ title, where, excerpt }) =>
      styled('yellow', `! ${escapeControls(title)} (${escapeControls(where)}): ${escapeControls(excerpt)}`),
    ),
    styled('dim', `fingerprint ${tool.fingerprint}`),
  ].join('\n')
}
