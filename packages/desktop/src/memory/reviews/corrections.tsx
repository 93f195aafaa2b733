import { followLink, memoryAddress, messageAddress } from '../../address.ts'
import { useCommand } from '../../client/use-request.ts'
import { LoadMore } from '../../part/load-more.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'

const told = memoryWords.reviews
const most = 50

/** The user's corrections, newest first. */
export function Corrections({ agent_id, version }: { agent_id: string; version: number }) {
  const reading = useCommand('memory_list_corrections', { agent_id, limit: most }, { version })
  return (
    <RequestResult reading={reading}>
      {(list) =>
        list.items.length === 0 ? (
          <EmptyState>{told.correctionsNone}</EmptyState>
        ) : (
          <>
            <Panel>
              <ul className="divide-y divide-line">
                {list.items.map(({ id, wrong, right, memory_id, message_id, conversation_id, created_at }) => (
                  <li key={id} className="px-4 py-3">
                    {wrong !== '' && (
                      <p className="break-words text-soft">
                        <span className="text-faint">{told.was}:</span> {visibleText(wrong)}
                      </p>
                    )}
                    <p className="break-words">
                      <span className="text-faint">{told.is}:</span> {visibleText(right)}
                    </p>
                    <p className="mt-1 flex flex-wrap gap-x-3 text-faint text-sm">
                      {formatTime(created_at)}
                      <a href={memoryAddress(memory_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
                        {memoryWords.profile.openMemory}
                      </a>
                      {conversation_id !== null && message_id !== null && (
                        <a
                          href={messageAddress(conversation_id, message_id)}
                          onClick={followLink}
                          className="text-cloud underline underline-offset-4"
                        >
                          {memoryWords.openTheMessage}
                        </a>
                      )}
                    </p>
                  </li>
                ))}
              </ul>
            </Panel>
            <LoadMore list={list} />
          </>
        )
      }
    </RequestResult>
  )
}
