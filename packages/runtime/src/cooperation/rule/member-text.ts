// The first message of a member, and what is read from its last one. Texts of agents are data: they are bounded and never executed.

export interface Excerpt {
  readonly title: string
  readonly text: string
}

export interface MemberTask {
  readonly task: string
  readonly files: readonly string[]
  readonly excerpts: readonly Excerpt[]
  /** A JSON schema, as JSON text. */
  readonly output_schema: string | null
}

/** All that the member knows of its task: nothing of the conversation of its parent is passed on. */
export function taskText({ task, files, excerpts, output_schema }: MemberTask): string {
  return [
    task,
    files.length === 0 ? '' : `Files to look at:\n${files.map((path) => `- ${path}`).join('\n')}`,
    ...excerpts.map(({ title, text }) => `${title}:\n${text}`),
    output_schema === null
      ? ''
      : `When you are done, respond with one JSON value and nothing else. It must match this JSON schema:\n${output_schema}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const mostQuestions = 20
const longestQuestion = 500

/** The lines of a section "Open questions" at the end of an answer. */
export function openQuestions(answer: string): readonly string[] {
  const lines = answer.slice(-20_000).split('\n')
  const heading = lines.findLastIndex((line) => /^[#*_\s]*open questions[:*_\s]*$/i.test(line))
  if (heading === -1) return []
  const section = lines.slice(heading + 1)
  const next = section.findIndex((line) => /^#{1,6}\s/.test(line))
  return (next === -1 ? section : section.slice(0, next))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s*/, '').trim())
    .filter((line) => line !== '' && !/^(?:none|no|n\/a|-)\.?$/i.test(line))
    .slice(0, mostQuestions)
    .map((line) => line.slice(0, longestQuestion))
}

/** The JSON of an answer, also if it is in a block of code; undefined if there is none. */
export function jsonIn(answer: string): unknown {
  const block = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(answer)?.[1]
  for (const text of [answer, block]) {
    if (text === undefined) continue
    try {
      return JSON.parse(text.trim()) as unknown
    } catch {
      // Not JSON; the next candidate may be.
    }
  }
  return undefined
}
