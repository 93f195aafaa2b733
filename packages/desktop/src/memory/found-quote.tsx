// Words that were found in a memory or a message, with a way to see them in their place.
import { followLink, memoryAddress } from '../address.ts'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import type { MemoryFound } from './merge-found.ts'
import { OpenMessage } from './open-message.tsx'

export function FoundQuote({ found: { evidence, memory_id, ts } }: { found: MemoryFound['exact_evidence'][number] }) {
  return (
    <>
      <q className="break-words border-line border-l-2 pl-3 before:content-none after:content-none">{visibleText(evidence.excerpt)}</q>
      <p className="mt-1 text-faint text-sm">
        {formatTime(ts)} · {memory_id === null ? memoryWords.fromMessage : memoryWords.fromMemory} ·{' '}
        {memory_id === null ? (
          <OpenMessage message_id={evidence.id} conversation_id={evidence.conversation_id} />
        ) : (
          <a href={memoryAddress(memory_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {memoryWords.profile.openMemory}
          </a>
        )}
      </p>
    </>
  )
}
