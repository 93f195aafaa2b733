// Results of a search in the knowledge base.
import type { KbSearchOutput } from '@tandem/contract/tool/output'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleText } from '../text/visible.ts'

export function FoundPassages({ passages, note }: KbSearchOutput) {
  if (passages.length === 0) return <p className="text-faint">{visibleText(note ?? knowledgeWords.nothingFound)}</p>
  return (
    <div className="space-y-3">
      <ul className="space-y-3">
        {passages.map(({ id, citation, headings, text }) => (
          <li key={id} className="border-line border-l-2 pl-3">
            <p className="text-faint text-sm">
              {visibleText(citation)}
              {headings.length > 0 && ` ${visibleText(headings.join(' › '))}`}
            </p>
            <p className="line-clamp-6 whitespace-pre-wrap break-words text-soft text-sm">{visibleText(text)}</p>
          </li>
        ))}
      </ul>
      {note !== undefined && <p className="text-sm text-warn">{visibleText(note)}</p>}
    </div>
  )
}
