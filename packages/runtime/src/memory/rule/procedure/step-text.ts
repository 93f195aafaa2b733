// The steps of a procedure in words, for prompts. Pure.
import type { Procedure, ProcedureStep } from '@tandem/contract/memory'

const mostSteps = 20
const longestCommand = 200
const longestText = 2_000

/** For example `fs.read (path)` or `shell.exec: make test`. */
export function stepText({ tool, shape, command }: ProcedureStep): string {
  if (command !== null) return `${tool}: ${oneLine(command, longestCommand)}`
  const names = [...shape.matchAll(/[{,]\s*([a-z][a-z_]*):/gi)].map(([, name]) => name)
  return names.length === 0 ? tool : `${tool} (${names.join(', ')})`
}

/** One line: how often it worked, and its numbered steps. */
export function procedureText({ steps, successes, failures }: Pick<Procedure, 'steps' | 'successes' | 'failures'>): string {
  const worked = `worked in ${successes} of ${successes + failures} runs`
  const list: string[] = []
  let length = 0
  for (const [index, step] of steps.slice(0, mostSteps).entries()) {
    const text = `${index + 1}. ${stepText(step)}`
    length += text.length
    if (length > longestText) break
    list.push(text)
  }
  const left = steps.length - list.length
  return `Steps, which ${worked}: ${list.join('; ')}${left === 0 ? '' : `; and ${left} more`}.`
}

function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}
