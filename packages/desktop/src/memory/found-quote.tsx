// Words that were found in a memory or a message, with a way to see them in their place.
import { useState } from 'react'
import { followLink, goTo, memoryAddress, messageAddress } from '../address.ts'
import { useDesk } from '../desk/use-desk.ts'
import { memoryWords } from '../strings/memory.ts'
import { timeOf } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import type { MemoryFound } from './merge-found.ts'

export function FoundQuote({ found: { evidence, memory_id, ts } }: { found: MemoryFound['exact_evidence'][number] }) {
  return (
    <>
      <q className="break-words border-line border-l-2 pl-3 before:content-none after:content-none">{visibleText(evidence.excerpt)}</q>
      <p className="mt-1 text-faint text-sm">
        {timeOf(ts)} · {memory_id === null ? memoryWords.fromMessage : memoryWords.fromMemory} ·{' '}
        {memory_id === null ? (
          <OpenMessage message_id={evidence.id} excerpt={evidence.excerpt} />
        ) : (
          <a href={memoryAddress(memory_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {memoryWords.profile.openMemory}
          </a>
        )}
      </p>
    </>
  )
}

/** Evidence does not name the conversation of a message; it is found by the words of the excerpt. */
function OpenMessage({ message_id, excerpt }: { message_id: string; excerpt: string }) {
  const desk = useDesk()
  const [said, setSaid] = useState('')
  const open = async () => {
    const loaded = [...desk.store.get().messages].find(([, messages]) => messages.has(message_id))?.[0]
    const query = excerpt.replaceAll('…', ' ').trim().slice(0, 200)
    const answer = loaded === undefined && query !== '' ? await desk.channel.call('conversation_search', { query }) : null
    const conversation_id =
      loaded ?? (answer?.ok ? answer.value.found.find((one) => one.message_id === message_id)?.conversation_id : undefined)
    if (conversation_id === undefined) setSaid(memoryWords.notLocated)
    else goTo(messageAddress(conversation_id, message_id))
  }
  return (
    <>
      <button type="button" onClick={open} className="rounded text-cloud underline underline-offset-4">
        {memoryWords.openTheMessage}
      </button>{' '}
      <span role="status">{said}</span>
    </>
  )
}
