// Whether the wording of a model names only what the routine names. Pure.
import { groundedIn, ungroundedProgram } from '../../../memory/rule/grounded.ts'
import { inspectText } from '../../../policy/untrusted-text.ts'
import type { Routine } from './routine.ts'
import type { Wording } from './skill-draft.ts'

const longest = { description: 300, introduction: 600 } as const

export type ReadWording = { readonly ok: true; readonly wording: Wording } | { readonly ok: false; readonly reason: string }

/** `answer`: the text of the model. Everything must fit; otherwise all of it is rejected, with the reason. */
export function readWording(answer: string, title: string, routine: Routine): ReadWording {
  const parsed = parse(answer)
  if (parsed === null) return { ok: false, reason: 'the model did not answer with a JSON object' }
  const evidence = evidenceOf(title, routine)
  const texts = { description: '', introduction: '' }
  for (const field of ['description', 'introduction'] as const) {
    const value = parsed[field]
    if (typeof value !== 'string' || value.trim() === '' || value.length > longest[field])
      return { ok: false, reason: `its ${field} is missing or too long` }
    const text = value.trim()
    if (/[\p{Cc}\p{Cf}`<>]/u.test(text)) return { ok: false, reason: `its ${field} contains characters that a sentence does not have` }
    const [found] = inspectText(field, text)
    if (found) return { ok: false, reason: `its ${field} is suspicious: ${found.title}` }
    const grounded = groundedIn(text, evidence)
    if (!grounded.ok) return { ok: false, reason: `its ${field} names "${grounded.name}", which is not in the runs` }
    const program = ungroundedProgram(text, evidence)
    if (program !== null) return { ok: false, reason: `its ${field} names "${program}", which is not in the runs` }
    texts[field] = text
  }
  return { ok: true, wording: texts }
}

/** All that a model gets, and all that it may name. */
function evidenceOf(title: string, { steps, requests, constraints }: Routine): readonly string[] {
  return [
    title,
    ...requests,
    ...constraints,
    ...steps.flatMap(({ tool, arguments: args }) => [tool, ...args.flatMap(({ name, value }) => [name, value ?? ''])]),
  ].filter((text) => text !== '')
}

function parse(answer: string): Readonly<Record<string, unknown>> | null {
  const [start, end] = [answer.indexOf('{'), answer.lastIndexOf('}')]
  if (start === -1) return null
  try {
    const found: unknown = JSON.parse(answer.slice(start, end + 1))
    return typeof found === 'object' && found !== null ? { ...found } : null
  } catch {
    // Reported as such.
    return null
  }
}
