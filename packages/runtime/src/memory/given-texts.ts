// What an agent was given in a conversation, and before the point at which it branched from another one: pages, files, the output of commands,
// attachments, skills, and what memory gave it. None of it may become a memory. What the user said there counts as said.
import { historyBefore } from '../journal/branches.ts'
import type { Journal } from '../journal/journal.ts'
import type { MessageRecord } from '../journal/messages.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Memories } from './record/memories.ts'

export interface GivenTextPorts {
  readonly journal: Pick<Journal, 'messages' | 'conversations' | 'run' | 'runsOf' | 'steps' | 'wholes'>
  readonly memories: Pick<Memories, 'contents'>
  /** The memories that the prompts of a run had. */
  injectedIn(run: RunRecord): readonly string[]
  /** What skills told a run. */
  skillText(run_id: string): string | null
  /** A file that the user attached; undefined if it is not on this device. */
  attachment(file_id: string): Buffer | undefined
}

export interface GivenTexts {
  /** What the user wrote, by the id of the message. */
  readonly own: ReadonlyMap<string, MessageRecord>
  tools(): readonly string[]
  recalled(): readonly string[]
}

interface ReadRun {
  readonly run: RunRecord
  steps(): readonly JournaledStep['step'][]
}

/** How many messages of a conversation are searched for what the user named. */
const mostMessages = 2_000
/** Of the newest runs. */
const mostRuns = 20
const mostCharacters = 400_000
/** Of an attachment. A longer one is rarely shown to a model as a whole. */
const mostBytes = 400_000
const searches = (tool: string) => tool === 'memory.search'
/** All but the answer of the user, and what is remembered. */
const isForeign = (tool: string) => tool !== 'ask_user' && !tool.startsWith('memory.')

export function givenTexts(ports: GivenTextPorts, conversation_id: string): GivenTexts {
  const { journal, memories, injectedIn, skillText, attachment } = ports
  const conversation = journal.conversations.get(conversation_id)
  const history = historyBefore(journal, conversation?.branch ?? null)
  const latest = conversation ? journal.messages.latest(conversation.no, mostMessages).filter(({ set_aside }) => !set_aside) : []
  const own = [...latest, ...messagesIn(journal, history).toReversed()].filter(({ persons_word }) => persons_word).slice(0, mostMessages)
  // Read only if there is something to compare with it.
  const runs = (): readonly ReadRun[] => {
    const here = conversation
      ? journal.runsOf(conversation.no).map((run) => ({ run, steps: () => stepsOf(journal.steps(run.run_id)) }))
      : []
    const before = history.map(({ run, steps }) => ({ run, steps: () => stepsOf(steps) }))
    return [...before, ...here].slice(-mostRuns).toReversed()
  }
  return {
    own: new Map(own.map((message) => [message.message_id, message])),
    tools: () =>
      within(mostCharacters, [
        () => resultsOf(journal, runs(), isForeign),
        () => own.flatMap((message) => message.attachments.flatMap(({ file_id }) => textOf(attachment(file_id)) ?? [])),
        () => runs().flatMap(({ run }) => skillText(run.run_id) ?? []),
      ]),
    // Also what was corrected or replaced since.
    recalled() {
      const ids = runs().flatMap(({ run }) => injectedIn(run))
      const contents = memories.contents([...new Set(ids)]).map(({ content }) => content)
      return [...contents, ...within(mostCharacters, [() => resultsOf(journal, runs(), searches)])]
    },
  }
}

const stepsOf = (steps: readonly JournaledStep[]) => steps.map(({ step }) => step)

/** A later restore in the other conversation changes nothing in its branch, so it does not matter what it set aside. */
function messagesIn({ messages }: Pick<Journal, 'messages'>, history: ReturnType<typeof historyBefore>): readonly MessageRecord[] {
  return history.flatMap(({ steps }) =>
    stepsOf(steps).flatMap((step) => {
      const id = step.kind === 'run.started' || step.kind === 'message.received' ? step.message_id : null
      return (id === null ? undefined : messages.get(id)) ?? []
    }),
  )
}

/** At most so many characters of each source. */
function within(most: number, sources: readonly (() => readonly string[])[]): readonly string[] {
  return sources.flatMap((source) => {
    let left = most
    return source().flatMap((text) => {
      const kept = text.slice(0, left)
      left -= kept.length
      return kept === '' ? [] : [kept]
    })
  })
}

function resultsOf({ wholes }: Pick<Journal, 'wholes'>, runs: readonly ReadRun[], isWanted: (tool: string) => boolean): readonly string[] {
  const texts: string[] = []
  let left = mostCharacters
  for (const { steps } of runs) {
    const all = steps()
    const tools = new Map(all.flatMap((step) => (step.kind === 'tool.call' ? [[step.call_id, step.tool]] : [])))
    for (const step of all.toReversed()) {
      if (step.kind !== 'tool.result' || !isWanted(tools.get(step.call_id) ?? '')) continue
      const whole = step.output_file_id === undefined ? undefined : wholes.find(step.output_file_id)
      const text = whole ?? (typeof step.output === 'string' ? step.output : (JSON.stringify(step.output) ?? ''))
      left -= text.length
      texts.push(text)
      if (left <= 0) return texts
    }
  }
  return texts
}

/** Null for a picture and other files that are no text. */
function textOf(bytes: Buffer | undefined): string | null {
  const text = bytes?.subarray(0, mostBytes).toString('utf8') ?? ''
  return text === '' || text.includes('\u0000') ? null : text
}
