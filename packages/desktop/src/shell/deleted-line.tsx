import type { MouseEvent } from 'react'
import { followLink } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Icon } from '../part/icon.tsx'
import { navigationWords } from '../strings/navigation.ts'
import { visibleText } from '../text/visible.ts'
import { type Line, restoreLines } from './conversation-actions.ts'

interface Props {
  readonly id: string
  readonly line: Line
  readonly isSelected: boolean
  onClick(event: MouseEvent, id: string): void
}

/** A deleted conversation: it can be restored until it is erased. */
export function DeletedLine({ id, line, isSelected, onClick }: Props) {
  const client = useRuntimeClient()
  const [first] = line
  if (!first) return null
  return (
    <li className="flex items-center gap-1">
      <a
        href={`/c/${first.conversation_id}`}
        data-line={id}
        data-selected={isSelected}
        onClick={(event) => {
          onClick(event, id)
          followLink(event)
        }}
        className="side-link min-w-0 grow"
      >
        {isSelected && (
          <span className="shrink-0 text-cloud">
            <Icon name="check" size={13} />
            <span className="sr-only">{navigationWords.list.isSelected}</span>
          </span>
        )}
        <span title={visibleText(first.title)} className="truncate">
          {visibleText(first.title)}
        </span>
      </a>
      <button type="button" onClick={() => void restoreLines(client, [line])} className="quiet-field shrink-0">
        {navigationWords.list.restore}
      </button>
    </li>
  )
}
