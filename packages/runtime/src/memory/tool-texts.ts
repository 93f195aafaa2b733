// What tools returned in a conversation: pages, files and the output of commands. None of it may become a memory.
import type { Journal } from '../journal/journal.ts'

export type ToolTextPorts = Pick<Journal, 'runsOf' | 'steps' | 'wholes'>

/** Of the newest runs. */
const mostRuns = 20
const mostCharacters = 400_000
/** The answer of the user, and what was remembered before. */
const isOwn = (tool: string) => tool === 'ask_user' || tool.startsWith('memory.')

export function toolTexts({ runsOf, steps, wholes }: ToolTextPorts, conversation: number): readonly string[] {
  const texts: string[] = []
  let left = mostCharacters
  for (const { run_id } of runsOf(conversation).slice(-mostRuns).toReversed()) {
    const all = steps(run_id).map(({ step }) => step)
    const tools = new Map(all.flatMap((step) => (step.kind === 'tool.call' ? [[step.call_id, step.tool]] : [])))
    for (const step of all.toReversed()) {
      if (step.kind !== 'tool.result' || isOwn(tools.get(step.call_id) ?? '')) continue
      const whole = step.output_file_id === undefined ? undefined : wholes.find(step.output_file_id)
      const text = (whole ?? (typeof step.output === 'string' ? step.output : (JSON.stringify(step.output) ?? ''))).slice(0, left)
      left -= text.length
      texts.push(text)
      if (left <= 0) return texts
    }
  }
  return texts
}
