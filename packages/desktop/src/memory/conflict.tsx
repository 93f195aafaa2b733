// Memories that contradict each other, side by side. The user decides which one is right.
import type { Memory } from '@tandem/contract/memory'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { visibleText } from '../text/visible.ts'
import { MemoryLine } from './memory-line.tsx'

export function Conflict({ memory_id, onDecided }: { memory_id: string; onDecided(): void }) {
  const reading = useCommand('memory_get', { memory_id })
  return (
    <RequestResult reading={reading}>
      {({ memory, related, not_used_because }) => {
        const others = related.filter(({ id }) => memory.conflicts_with.includes(id))
        return <SideBySide memory={memory} others={others} isUsed={not_used_because === null} onDecided={onDecided} />
      }}
    </RequestResult>
  )
}

interface Props {
  readonly memory: Memory
  readonly others: readonly Memory[]
  /** Until the user decides, the one that ranks highest is used. */
  readonly isUsed: boolean
  onDecided(): void
}

export function SideBySide({ memory, others, isUsed, onDecided }: Props) {
  const client = useRuntimeClient()
  const all = isUsed ? [memory, ...others] : [...others, memory]
  const used = isUsed ? memory.id : others.length === 1 ? others[0]?.id : null
  const keep = async (kept: string) => {
    const over = all.map(({ id }) => id).filter((id) => id !== kept)
    const answer = await client.call(memoryWords.doing.decide, 'memory_decide_conflict', { kept_memory_id: kept, over_memory_ids: over })
    if (answer.ok) onDecided()
  }
  return (
    <Panel className="grid divide-line max-sm:divide-y sm:grid-cols-2 sm:divide-x">
      {all.map((one) => (
        <div key={one.id} className="flex min-w-0 flex-col gap-3 p-4">
          <MemoryLine memory={one} />
          <p className="mt-auto flex flex-wrap items-center gap-2">
            {all.length > 1 && (
              <Button aria-label={memoryWords.rightOf(visibleText(one.content).slice(0, 80))} onClick={() => keep(one.id)}>
                {memoryWords.right}
              </Button>
            )}
            {one.id === used && <Badge tone="good">{memoryWords.counting}</Badge>}
          </p>
        </div>
      ))}
    </Panel>
  )
}
