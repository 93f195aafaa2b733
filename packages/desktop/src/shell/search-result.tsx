import type { FoundConversation } from '@tandem/contract/command'
import { followLink } from '../address.ts'
import { writingWords } from '../strings/composer.ts'
import { visibleText } from '../text/visible.ts'

export function SearchResult({ found, isCurrent }: { found: FoundConversation; isCurrent: boolean }) {
  return (
    <li>
      <a
        href={`/c/${found.conversation_id}`}
        onClick={followLink}
        aria-current={isCurrent ? 'page' : undefined}
        className="side-link flex-col items-stretch gap-0"
      >
        <span title={visibleText(found.title)} className="truncate">
          {visibleText(found.title)}
          {found.hidden && <span className="text-faint"> · {writingWords.hidden}</span>}
        </span>
        {found.excerpt !== '' && (
          <span className="line-clamp-2 whitespace-normal break-words text-faint text-xs">{visibleText(found.excerpt)}</span>
        )}
      </a>
    </li>
  )
}
