// Results of the memory tools.
import type { MemoryOutput, MemorySearchOutput } from '@tandem/contract/tool/output'
import { Badge } from '../part/badge.tsx'
import { memoryWords } from '../strings/memory.ts'
import { visibleText } from '../text/visible.ts'

export function RememberedMemory({ memory, note }: MemoryOutput) {
  return (
    <div className="space-y-1">
      <MemoryLine memory={memory} />
      {note !== null && <p className="text-sm text-warn">{visibleText(note)}</p>}
    </div>
  )
}

export function FoundMemories({ memories, evidence, note }: MemorySearchOutput) {
  if (memories.length === 0 && evidence.length === 0) return <p className="text-faint">{visibleText(note ?? memoryWords.nothingFound)}</p>
  return (
    <div className="space-y-3">
      {memories.length > 0 && (
        <ul className="space-y-1">
          {memories.map((memory) => (
            <li key={memory.id}>
              <MemoryLine memory={memory} />
            </li>
          ))}
        </ul>
      )}
      {evidence.length > 0 && (
        <ul className="space-y-1" aria-label={memoryWords.quotes}>
          {evidence.map(({ id, excerpt, said_at }) => (
            <li key={`${id}${excerpt}`} className="border-line border-l-2 pl-3 text-soft text-sm">
              {visibleText(excerpt)} <span className="text-faint">{said_at.slice(0, 10)}</span>
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p className="text-sm text-warn">{visibleText(note)}</p>}
    </div>
  )
}

function MemoryLine({ memory: { content, memory_kind, state } }: { memory: MemoryOutput['memory'] }) {
  return (
    <p className="break-words">
      {visibleText(content)} <Badge>{kinds[memory_kind] ?? visibleText(memory_kind)}</Badge>{' '}
      {state !== 'active' && <Badge tone="warn">{states[state] ?? visibleText(state)}</Badge>}
    </p>
  )
}

/** A newer version may have more. */
const kinds: Readonly<Record<string, string>> = memoryWords.kinds
const states: Readonly<Record<string, string>> = memoryWords.states
