import { memoryWords } from '../strings/memory.ts'
import { visibleText } from '../text/visible.ts'
import type { MemoryStatus } from './options/status-notes.tsx'

interface Props {
  readonly problem: MemoryStatus['search_index']['problem']
  readonly className: string
}

/** Why a search may not find everything, and what to do. */
export function SearchProblem({ problem, className }: Props) {
  if (problem === null) return null
  return (
    <div role="status" className={`break-words rounded-md bg-warn-soft px-3 py-2 text-sm text-warn ${className}`}>
      <p className="font-medium">{memoryWords.searchProblem}</p>
      <p>{visibleText(problem.message)}</p>
      <p>{visibleText(problem.remedy)}</p>
    </div>
  )
}
