import type { SkillProblem } from '@tandem/contract/skill'
import { visibleText } from '../text/visible.ts'

/** Each reason with its remedy. */
export function Problems({ problems }: { problems: readonly SkillProblem[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="mt-auto space-y-1.5 rounded-md border border-line bg-warn-soft px-3 py-2 text-sm">
      {problems.map(({ reason, name, title, hint }) => (
        <li key={`${reason} ${name}`} className="break-words">
          <span className="font-medium text-warn">{title}.</span> {visibleText(hint)}
        </li>
      ))}
    </ul>
  )
}

/** What is unusual, and does not prevent its use. */
export function SkillNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="space-y-1 text-soft text-sm">
      {notes.map((note) => (
        <li key={note} className="break-words">
          {visibleText(note)}
        </li>
      ))}
    </ul>
  )
}
