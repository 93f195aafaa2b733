// Search in both channels; without a search, the list with its filters.
import { useState } from 'react'
import type { ReadRequest } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { usePause } from '../part/use-pause.ts'
import { memoryWords } from '../strings/memory.ts'
import { AddMemory } from './add-memory.tsx'
import { everyMemory } from './memory-filter.ts'
import { MemoryFilters } from './memory-filters.tsx'
import { MemoryList } from './memory-list.tsx'
import { MemorySearch } from './memory-search.tsx'
import type { MemoryStatus } from './options/status-notes.tsx'
import { SearchProblem } from './search-problem.tsx'

export function MemoryBrowser({ agent_id, status }: { agent_id: string | null; status: ReadRequest<MemoryStatus> }) {
  const [typed, setTyped] = useState('')
  const query = usePause(typed)
  const [filter, setFilter] = useState(everyMemory)
  const [adding, setAdding] = useState<'closed' | 'open'>('closed')
  const [added, setAdded] = useState(0)
  const { state: asked } = status
  const inactive = asked.state === 'ready' ? asked.value.memories.superseded + asked.value.memories.archived : 0
  const done = () => {
    setAdding('closed')
    setAdded(added + 1)
    void status.reload()
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-stretch gap-3">
        <input
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={4_096}
          aria-label={memoryWords.search}
          placeholder={memoryWords.search}
          className="field min-w-40 max-w-md flex-1 py-1"
        />
        <Button aria-expanded={adding === 'open'} onClick={() => setAdding(adding === 'open' ? 'closed' : 'open')}>
          {memoryWords.add}
        </Button>
      </div>
      {adding === 'open' && <AddMemory agent_id={agent_id} onDone={done} />}
      <MemoryFilters
        filter={filter}
        onChange={setFilter}
        counts={asked.state === 'ready' ? asked.value.memories : null}
        isSearch={query !== ''}
      />
      {query === '' ? (
        <MemoryList agent_id={agent_id} filter={filter} inactive={inactive} version={added} onChanged={status.reload} />
      ) : (
        <>
          {asked.state === 'ready' && <SearchProblem problem={asked.value.search_index.problem} className="mb-4" />}
          <MemorySearch agent_id={agent_id} query={query} kind={filter.kind} />
        </>
      )}
    </>
  )
}
