// The scripted model: its replies to a conversation. Pure and deterministic; it knows no language, only the table of intents.
import { fillArguments, type IntentValues } from './arguments.ts'
import type { AskedCall, Message, OfferedTool } from './conversation.ts'
import { type Intent, intents, type RecognizedIntent, recognizeIntent } from './intents.ts'
import type { Step, Turn } from './turn.ts'
import { clauses } from './wording.ts'

export const introduction = 'I am a scripted demo, not a language model: I follow a short list of rules.'

const shownLines = 20
const shownCharacters = 1_500

export function reply(conversation: readonly Message[], tools: readonly OfferedTool[]): Turn {
  const start = conversation.findLastIndex((message) => message.role === 'user')
  const asked = conversation[start]
  if (asked?.role !== 'user') return say(`${introduction} You have not asked me anything yet.`)

  const plan = clauses(asked.text).flatMap((clause) => recognizeIntent(clause) ?? [])
  const since = conversation.slice(start + 1)
  const rounds = roundsOf(since)
  if (rounds.length === 0) return begin(plan, tools, isFirst(conversation))

  const results = since.filter((message) => message.role === 'tool')
  const last = rounds.at(-1) ?? []
  const outcome = last.map((call) => ({ call, result: results.findLast((one) => one.call_id === call.id) }))
  const done = plan[rounds.length - 1]
  const comments = outcome.map(({ call, result }, index) => comment(done, done?.calls[index] ?? {}, call, result))
  const failed = outcome.some(({ result }) => result === undefined || result.failed)

  const next = plan[rounds.length]
  if (failed || next === undefined) {
    const many = !failed && rounds.length > 1 ? `\n\nAll ${rounds.length} steps are done.` : ''
    return say(`${comments.join('\n\n')}${many}`)
  }
  return carryOut(next, tools, `${comments.join('\n\n')}\n\n`)
}

/** Turns of the assistant with calls; consecutive calls without a result in between are one turn. */
function roundsOf(messages: readonly Message[]): AskedCall[][] {
  const rounds: AskedCall[][] = []
  let open = false
  for (const message of messages) {
    if (message.role === 'tool') open = false
    if (message.role !== 'assistant' || message.calls.length === 0) continue
    if (open) rounds.at(-1)?.push(...message.calls)
    else rounds.push([...message.calls])
    open = true
  }
  return rounds
}

function isFirst(conversation: readonly Message[]): boolean {
  return !conversation.some((message) => message.role === 'assistant')
}

function begin(plan: readonly RecognizedIntent[], tools: readonly OfferedTool[], first: boolean): Turn {
  const [meant] = plan
  if (!meant) return say(help(tools))
  return carryOut(meant, tools, first ? `${introduction} ` : '')
}

function carryOut({ intent, calls }: RecognizedIntent, tools: readonly OfferedTool[], before: string): Turn {
  const tool = toolFor(intent, tools)
  const announcement = calls.map((wanted) => intent.announce(wanted)).join(' ')
  if (!tool) {
    return say(`${before}For this I would need a tool like \`${intent.tools[0]}\`, but none of the tools available to me does that.`)
  }
  const steps: Step[] = [{ kind: 'text', text: `${before}${announcement}` }]
  for (const wanted of calls)
    steps.push({ kind: 'call', name: tool.name, arguments: JSON.stringify(fillArguments(tool.parameters, wanted)) })
  return { steps }
}

/** By its whole name first, then by the part after the last `__` (a tool of an MCP server). */
function toolFor(intent: Intent, tools: readonly OfferedTool[]): OfferedTool | undefined {
  for (const name of intent.tools) {
    const exact = tools.find((tool) => tool.name.toLowerCase() === name)
    if (exact) return exact
  }
  return tools.find((tool) => tool.name.startsWith('mcp__') && intent.tools.includes(tool.name.slice(tool.name.lastIndexOf('__') + 2)))
}

function comment(
  done: RecognizedIntent | undefined,
  wanted: IntentValues,
  call: AskedCall,
  result: Extract<Message, { role: 'tool' }> | undefined,
): string {
  if (!result) return `\`${call.name}\` returned no result, so I am stopping here.`
  if (result.failed) return `\`${call.name}\` failed, so I am stopping here. It returned:\n\n${excerpt(result.text)}`
  if (result.text.trim() === '') return `\`${call.name}\` finished without any output.`
  return `${done ? done.intent.report(wanted) : `\`${call.name}\` returned:`}\n\n${excerpt(result.text)}`
}

function excerpt(text: string): string {
  const lines = text.trim().slice(0, shownCharacters).split('\n')
  const shown = lines.slice(0, shownLines).join('\n')
  const left = text.trim().length - shown.length
  const fence = shown.includes('```') ? '````' : '```'
  return `${fence}\n${shown}\n${fence}${left > 0 ? `\n(${left} more characters)` : ''}`
}

function help(tools: readonly OfferedTool[]): string {
  const able = (intents as readonly Intent[]).filter((intent) => toolFor(intent, tools))
  if (able.length === 0) return `${introduction} I cannot use any of the available tools.`
  const examples = able.map((intent) => `- ${intent.examples[0]?.[0] ?? intent.name}`)
  return `${introduction} I did not recognize this request. I can do the following, one at a time or joined by “then”:\n\n${examples.join('\n')}\n\nFor real answers, choose another model.`
}

function say(text: string): Turn {
  return { steps: [{ kind: 'text', text }] }
}
