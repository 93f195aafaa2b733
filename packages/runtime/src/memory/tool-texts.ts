// What an agent was given in a conversation: pages, files, the output of commands, and what memory gave it. None of it may become a memory.
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Memories } from './record/memories.ts'

export type ToolTextPorts = Pick<Journal, 'runsOf' | 'steps' | 'wholes'>

export interface RecalledTextPorts {
  readonly journal: ToolTextPorts
  readonly memories: Pick<Memories, 'contents'>
  /** The memories that the prompts of a run had. */
  injectedIn(run: RunRecord): readonly string[]
}

/** Of the newest runs. */
const mostRuns = 20
const mostCharacters = 400_000
const searches = (tool: string) => tool === 'memory.search'
/** All but the answer of the user, and what is remembered. */
const isForeign = (tool: string) => tool !== 'ask_user' && !tool.startsWith('memory.')

export function toolTexts(journal: ToolTextPorts, conversation: number): readonly string[] {
  return resultsOf(journal, conversation, isForeign)
}

/** Also what was corrected or replaced since. */
export function recalledTexts({ journal, memories, injectedIn }: RecalledTextPorts, conversation: number): readonly string[] {
  const ids = journal.runsOf(conversation).slice(-mostRuns).flatMap(injectedIn)
  return [...memories.contents([...new Set(ids)]).map(({ content }) => content), ...resultsOf(journal, conversation, searches)]
}

function resultsOf({ runsOf, steps, wholes }: ToolTextPorts, conversation: number, isWanted: (tool: string) => boolean): readonly string[] {
  const texts: string[] = []
  let left = mostCharacters
  for (const { run_id } of runsOf(conversation).slice(-mostRuns).toReversed()) {
    const all = steps(run_id).map(({ step }) => step)
    const tools = new Map(all.flatMap((step) => (step.kind === 'tool.call' ? [[step.call_id, step.tool]] : [])))
    for (const step of all.toReversed()) {
      if (step.kind !== 'tool.result' || !isWanted(tools.get(step.call_id) ?? '')) continue
      const whole = step.output_file_id === undefined ? undefined : wholes.find(step.output_file_id)
      const text = (whole ?? (typeof step.output === 'string' ? step.output : (JSON.stringify(step.output) ?? ''))).slice(0, left)
      left -= text.length
      texts.push(text)
      if (left <= 0) return texts
    }
  }
  return texts
}
