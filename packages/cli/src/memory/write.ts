// `tandem memory add`, `edit`, `confirm`, `reinstate` and `decide`: what the user says is right.
import type { CommandResult } from '@tandem/contract/command'
import { memoryKinds } from '@tandem/contract/memory'
import { agentNames, ownerOf } from '../command/agents.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, idProblem, isId, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { answered } from './answer.ts'
import { aboutProblem, isKind, kindProblem, listMemories, subjectOf } from './arguments.ts'
import { resolutionLines } from './text.ts'

const kinds = memoryKinds.join('|')
const about = 'me|agent|workspace:NAME|entity:NAME'
export const addUsage = explainedUsage(
  `tandem memory add TEXT [--kind ${kinds}] [--about ${about}] [--agent NAME | --all-agents] [--only-in CONVERSATION] [--json]`,
  'Adds a memory. A preference of yours is shared by all agents unless you use --agent; anything else belongs to one agent unless you use --all-agents.',
  '--about: what it is about. The default is me; a workspace or an entity is given by its name. --only-in: use it only in this conversation.',
)
export const editUsage = explainedUsage(
  `tandem memory edit ID [TEXT] [--kind ${kinds}] [--about ${about}] [--expires DATE|never] [--only-in-conversation yes|no] [--if-version N] [--json]`,
  'Changes the text of a memory, its kind, what it is about, or when it expires.',
  '--only-in-conversation: whether it is used only in the conversation in which it was learned. --if-version: change it only if this is still its version.',
)
export const confirmUsage = explainedUsage('tandem memory confirm ID [--json]', 'Confirms that a memory is right.')
export const reinstateUsage = explainedUsage('tandem memory reinstate ID [--json]', 'Uses an archived or superseded memory again.')
export const decideUsage = explainedUsage(
  'tandem memory decide RIGHT WRONG… [--json]',
  'Resolves a conflict. RIGHT is the id of the memory that is right, WRONG the id of one that is wrong.',
)

const addOptions = {
  kind: { type: 'string', default: 'semantic' },
  about: text,
  agent: text,
  'all-agents': flag,
  'only-in': text,
  json,
} as const

/** Preferences of the user are shared by all agents unless one is named; everything else belongs to one agent. */
export async function add(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, addOptions, addUsage)
  if (!given.ok) return given.code
  const { kind, about = 'me', agent, 'all-agents': shared, 'only-in': conversation } = given.values
  const content = given.words.join(' ').trim()
  if (content === '') return printUsage('specify what to remember', addUsage)
  if (!isKind(kind)) return printUsage(kindProblem, addUsage)
  const subject = subjectOf(about)
  if (subject === null) return printUsage(aboutProblem, addUsage)
  if (shared && agent !== undefined) return printUsage('--agent and --all-agents contradict each other', addUsage)
  const problem = idProblem('--only-in', conversation)
  if (problem) return printUsage(problem, addUsage)
  const isShared = shared || (kind === 'preference' && subject === 'user' && agent === undefined)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const owner = isShared ? null : await resolveAgent(client, agent)
    if (owner && !owner.ok)
      return refused(owner.error, agent === undefined ? 'Or remember it for all agents with --all-agents.' : undefined)
    const where = conversation === undefined ? {} : { conversation_id: conversation, only_in_conversation: true }
    const params = { agent_id: owner ? owner.value : null, content, memory_kind: kind, subject, ...where }
    return await answered(client, 'memory_add', params, given.values.json, async (result) =>
      changedText(`Remembered as ${result.memory.id} for ${ownerOf(result.memory.agent_id, await agentNames(client))}.`, result),
    )
  })
}

const editOptions = { kind: text, about: text, expires: text, 'only-in-conversation': text, 'if-version': text, json } as const

export async function edit(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, editOptions, editUsage)
  if (!given.ok) return given.code
  const { kind, about, expires, 'only-in-conversation': only, 'if-version': version } = given.values
  const [memory_id, ...said] = given.words
  const content = said.join(' ').trim()
  if (!isId(memory_id)) return printUsage(`specify one memory by its id. ${listMemories}`, editUsage)
  if (said.length > 0 && content === '') return printUsage('the text must not be empty', editUsage)
  if (kind !== undefined && !isKind(kind)) return printUsage(kindProblem, editUsage)
  const subject = about === undefined ? undefined : subjectOf(about)
  if (subject === null) return printUsage(aboutProblem, editUsage)
  const expires_at = expires === undefined ? undefined : expiryOf(expires)
  if (expires_at === 'invalid') return printUsage('--expires must be never, or a date in the future, such as 2027-03-31', editUsage)
  if (only !== undefined && only !== 'yes' && only !== 'no') return printUsage('--only-in-conversation must be yes or no', editUsage)
  if (version !== undefined && !/^[1-9]\d{0,14}$/.test(version))
    return printUsage('--if-version must be a whole number, 1 or greater', editUsage)
  const change = {
    ...(content === '' ? {} : { content }),
    ...(kind === undefined ? {} : { memory_kind: kind }),
    ...(subject === undefined ? {} : { subject }),
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(only === undefined ? {} : { only_in_conversation: only === 'yes' }),
  }
  if (Object.keys(change).length === 0) return printUsage('specify what to change: a new text, or an option', editUsage)
  const params = { memory_id, ...change, ...(version === undefined ? {} : { version: Number(version) }) }
  return await withRuntimeClient(process.cwd(), (client) =>
    answered(client, 'memory_edit', params, given.values.json, (result) =>
      changedText(`Changed. The memory is now at version ${result.memory.version}: ${singleLine(result.memory.content, 200)}`, result),
    ),
  )
}

/** The end of that day, in the time zone in which times are shown. */
function expiryOf(said: string): string | null | 'invalid' {
  if (said === 'never') return null
  const time = /^\d{4}-\d{2}-\d{2}$/.test(said) ? new Date(`${said}T23:59:59.999Z`) : null
  // The parser accepts 30 February as a day in March.
  if (!time || Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== said) return 'invalid'
  return time.getTime() > Date.now() ? time.toISOString() : 'invalid'
}

export async function confirm(args: readonly string[]): Promise<number> {
  return await ofOne(args, 'memory_confirm', confirmUsage, 'Confirmed')
}

export async function reinstate(args: readonly string[]): Promise<number> {
  return await ofOne(args, 'memory_reinstate', reinstateUsage, 'Reinstated')
}

async function ofOne(
  args: readonly string[],
  command: 'memory_confirm' | 'memory_reinstate',
  usage: string,
  done: string,
): Promise<number> {
  const given = parseArguments(args, { json }, usage)
  if (!given.ok) return given.code
  const [memory_id, ...more] = given.words
  if (!isId(memory_id) || more.length > 0) return printUsage(`specify one memory by its id. ${listMemories}`, usage)
  return await withRuntimeClient(process.cwd(), (client) =>
    answered(client, command, { memory_id }, given.values.json, (result) =>
      changedText(`${done}: ${singleLine(result.memory.content, 200)}`, result),
    ),
  )
}

const mostOver = 100

export async function decide(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, decideUsage)
  if (!given.ok) return given.code
  const [kept_memory_id, ...over] = given.words
  if (!isId(kept_memory_id) || over.length === 0 || !over.every(isId))
    return printUsage('specify the memory that is right, then those that are wrong, by their ids', decideUsage)
  if (over.length > mostOver) return printUsage(`decide between at most ${mostOver} memories at a time`, decideUsage)
  if (over.includes(kept_memory_id)) return printUsage('a memory cannot be both right and wrong', decideUsage)
  return await withRuntimeClient(process.cwd(), (client) =>
    answered(client, 'memory_decide_conflict', { kept_memory_id, over_memory_ids: over }, given.values.json, (result) =>
      changedText(`Kept: ${singleLine(result.memory.content, 200)}`, result),
    ),
  )
}

function changedText(done: string, { resolution }: Pick<CommandResult<'memory_add'>, 'resolution'>): string {
  return [done, ...resolutionLines(resolution)].join('\n')
}
