import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandParams } from '@tandem/contract/command'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { resolveOwner } from './owner.ts'
import { readingOf } from './reading.ts'
import { leftText, reportReading } from './reading-report.ts'
import { everySource } from './source.ts'
import { readStandardInput } from './standard-input.ts'
import { nameText } from './text.ts'

export const addUsage = explainedUsage(
  'tandem kb add PATH|URL|- [--name NAME] [--agent NAME | --workspace PATH] [--include PATTERN]… [--exclude PATTERN]… [--no-watch] [--no-wait] [--json]',
  'Adds a file, a folder, a web page, or the text on standard input (-), and waits until it has been read.',
  '--agent, --workspace: only this agent, or only agents that work in this folder, can find it. The default is all agents.',
  '--include: only files of the folder that match, such as "docs/**". --exclude: leaves out files that match, such as "**/*.log".',
  '--no-watch: notice changes of the folder only at the regular checks. --no-wait: return immediately.',
)

const options = {
  name: text,
  agent: text,
  workspace: text,
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  'no-watch': flag,
  'no-wait': flag,
  json,
} as const

type Addition = Pick<CommandParams<'kb_add'>, 'path' | 'url' | 'text'>

export async function add(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, addUsage)
  if (!given.ok) return given.code
  const { name, agent, workspace, include = [], exclude = [] } = given.values
  const [what, ...more] = given.words
  if (what === undefined || what === '' || more.length > 0)
    return printUsage('specify one file, folder or URL, or - for standard input', addUsage)
  if (agent !== undefined && workspace !== undefined) return printUsage('--agent and --workspace contradict each other', addUsage)
  if (name?.trim() === '' || workspace === '') return printUsage(`--${workspace === '' ? 'workspace' : 'name'} must not be empty`, addUsage)
  if (include.length + exclude.length > 0 && !isFolder(what))
    return printUsage('--include and --exclude are only valid for folders', addUsage)
  if (isUrl(what) && !/^https?:/i.test(what)) return printUsage('the URL must begin with https:// or http://', addUsage)
  const addition = await additionOf(what)
  if (!addition.ok) return refused(addition.error)
  const params = {
    ...addition.value,
    ...(name === undefined ? {} : { name }),
    ...(include.length > 0 ? { include } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
    ...(given.values['no-watch'] ? { watch: false } : {}),
  }

  return await withRuntimeClient(process.cwd(), async (client) => {
    const owner = await resolveOwner(client, { agent, workspace })
    if (!owner.ok) return refused(owner.error)
    const before = await everySource(client)
    const answer = await client.call('kb_add', { ...params, owner: owner.value })
    if (!answer.ok) return refused(answer.error)
    const { source } = answer.value
    const isKnown = before.ok && before.value.some(({ source_id }) => source_id === source.source_id)
    if (isKnown) console.error(`${nameText(source)} is already in the knowledge base. It is checked for changes.`)
    if (given.values['no-wait']) {
      const done = `${isKnown ? '' : `Added ${nameText(source)}. `}${leftText(client.kind, [source])}`
      console.log(given.values.json ? JSON.stringify({ source }) : done)
      return 0
    }
    const end = await readingOf(client, [source])
    return await reportReading(client, [source], end, { json: given.values.json ? ([one]) => ({ source: one }) : null })
  })
}

/** Paths are resolved here: the runtime works in another folder. */
async function additionOf(what: string): Promise<CommandAnswer<Addition>> {
  if (what === '-') {
    if (process.stdin.isTTY) console.error('Type or paste the text, then press Ctrl-D.')
    const content = await readStandardInput()
    return content.ok ? { ok: true, value: { text: content.value } } : content
  }
  return { ok: true, value: isUrl(what) ? { url: what } : { path: resolve(what) } }
}

function isUrl(what: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(what)
}

/** The runtime reports a path that does not exist. */
function isFolder(what: string): boolean {
  if (what === '-' || isUrl(what)) return false
  try {
    return statSync(what, { throwIfNoEntry: false })?.isDirectory() ?? true
  } catch {
    // Not accessible, which the runtime reports, too.
    return true
  }
}
