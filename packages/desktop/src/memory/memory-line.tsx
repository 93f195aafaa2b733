// One memory in a list, with a link to all of it.
import type { Memory } from '@tandem/contract/memory'
import { followLink, memoryAddress } from '../address.ts'
import { useOwner } from '../part/agent-select.tsx'
import { Badge } from '../part/badge.tsx'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function MemoryLine({ memory }: { memory: Memory }) {
  const owner = useOwner(memory.agent_id)
  return (
    <div className="min-w-0">
      <a href={memoryAddress(memory.id)} onClick={followLink} className="line-clamp-3 break-words underline-offset-4 hover:underline">
        {visibleText(memory.content)}
      </a>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-faint text-sm">
        <MemoryBadges memory={memory} />
        <span>
          {owner} · {memoryWords.learned(formatTime(memory.created_at))}
          {memory.only_in_conversation && ` · ${memoryWords.onlyHere}`}
          {memory.expires_at !== null && memory.state === 'active' && ` · ${memoryWords.expires(formatTime(memory.expires_at))}`}
        </span>
      </p>
    </div>
  )
}

export function MemoryBadges({ memory }: { memory: Memory }) {
  const { memory_kind, state, confirmed_by_user, authority, conflicts_with } = memory
  return (
    <>
      <Badge>{memoryWords.kinds[memory_kind]}</Badge>
      {state !== 'active' && <Badge tone="warn">{memoryWords.states[state]}</Badge>}
      {state === 'active' && authority === 'untrusted' && !confirmed_by_user && <Badge tone="warn">{memoryWords.toReview}</Badge>}
      {state === 'active' && conflicts_with.length > 0 && <Badge tone="bad">{memoryWords.conflict}</Badge>}
      {confirmed_by_user && <Badge tone="good">{memoryWords.confirmed}</Badge>}
    </>
  )
}
