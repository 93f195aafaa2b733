import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

/** Why nothing of a source could be read, or what users should know about it. */
export function SourceProblem({ source: { problem, state } }: { source: KnowledgeSource }) {
  if (problem === null) {
    return state === 'canceled' ? <p className="mt-2 break-words text-soft text-sm">{knowledgeWords.canceledExplanation}</p> : null
  }
  const tone = state === 'failed' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'
  return (
    <div role="status" className={`mt-2 break-words rounded-md px-3 py-2 text-sm ${tone}`}>
      <p className="font-medium">{visibleSentence(problem.message)}</p>
      <p>{visibleText(problem.remedy)}</p>
    </div>
  )
}
