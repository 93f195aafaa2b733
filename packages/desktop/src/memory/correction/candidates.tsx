// The memories that a text may be about, to choose the one that is wrong.
import type { Memory } from '@tandem/contract/memory'
import { useId } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { type ReadRequest, useRequest } from '../../client/use-request.ts'
import { LoadError } from '../../part/load-error.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'

const told = memoryWords.correction
const mostCandidates = 5
const mostQuery = 1_000

/** None for an empty text. */
export function useCandidates(at: { agent_id: string; conversation_id?: string }, text: string): ReadRequest<readonly Memory[]> {
  const { channel } = useRuntimeClient()
  const query = text.slice(0, mostQuery).trim()
  return useRequest(JSON.stringify({ at, query }), async () => {
    if (query === '') return { ok: true, value: [] }
    const answer = await channel.call('memory_search', { ...at, query, channels: ['semantic_recall'], limit: mostCandidates })
    return answer.ok ? { ok: true, value: answer.value.semantic_recall.map(({ memory }) => memory) } : answer
  })
}

interface Props {
  readonly found: ReadRequest<readonly Memory[]>
  readonly value: string
  onChange(memory_id: string): void
}

export function Candidates({ found: { state: asked, reload }, value, onChange }: Props) {
  if (asked.state === 'failed') return <LoadError error={asked.error} again={reload} />
  if (asked.state === 'loading') {
    return (
      <p role="status" className="text-faint text-sm">
        {told.looking}
      </p>
    )
  }
  if (asked.value.length === 0) return <p className="text-faint text-sm">{told.noneFound}</p>
  return <Options memories={asked.value} value={value} onChange={onChange} />
}

function Options({ memories, value, onChange }: Omit<Props, 'found'> & { memories: readonly Memory[] }) {
  const name = useId()
  const options = [...memories.map(({ id, content }) => [id, visibleText(content)] as const), ['', told.other] as const]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-soft text-sm">{told.which}</legend>
      <div className="grid gap-1.5">
        {options.map(([id, label]) => (
          <label key={id} className="option">
            <input type="radio" name={name} checked={value === id} onChange={() => onChange(id)} className="mt-1.5 accent-(--cloud)" />
            <span className="line-clamp-3 min-w-0 break-words">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
