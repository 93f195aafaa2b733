// The messages that a memory is based on, each with a link to its place in the conversation.
import type { CommandResult } from '@tandem/contract/command'
import { followLink, messageAddress } from '../address.ts'
import { Panel } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function MemorySources({ sources }: { sources: CommandResult<'memory_get'>['sources'] }) {
  if (sources.length === 0) return <p className="text-faint">{memoryWords.noSources}</p>
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {sources.map(({ message_id, conversation_id, conversation_title, excerpt, ts }) => (
          <li key={`${message_id} ${excerpt}`} className="px-4 py-3">
            <p className="whitespace-pre-wrap break-words border-line border-l-2 pl-3">{visibleText(excerpt)}</p>
            <p className="mt-1 text-faint text-sm">
              {ts !== null && `${formatTime(ts)} · `}
              {conversation_id === null ? (
                memoryWords.messageGone
              ) : (
                <a
                  href={messageAddress(conversation_id, message_id)}
                  onClick={followLink}
                  className="break-words text-cloud underline underline-offset-4"
                >
                  {memoryWords.openMessage(visibleText(conversation_title ?? ''))}
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
