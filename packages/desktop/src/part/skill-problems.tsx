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
