// The memories that match the filter, newest first, page by page.
import type { Memory } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { usePages } from '../client/use-pages.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { Conflict } from './conflict.tsx'
import { Forgotten, type WhatRemains } from './forget.tsx'
import { memoryEvents } from './memory-events.ts'
import { isUnfiltered, listParams, type MemoryFilter } from './memory-filter.ts'
import { MemoryLine } from './memory-line.tsx'
import { oncePerConflict } from './once-per-conflict.ts'
import { ReviewActions } from './reviews/review-actions.tsx'

const pageSize = 50

interface Props {
  readonly agent_id: string | null
  readonly filter: MemoryFilter
  /** How many memories are replaced or archived. */
  readonly inactive: number
  readonly version: number
  onChanged(): void
}

export function MemoryList({ agent_id, filter, inactive, version, onChanged }: Props) {
  const { clock } = useRuntimeClient()
  const [remains, setRemains] = useState<WhatRemains | null>(null)
  const params = listParams(filter, agent_id, clock.now())
  const newest = useNewestEventNumber(memoryEvents)
  const list = usePages('memory_list', params, { size: pageSize, version: `${newest} ${version}` })
  const changed = () => {
    void list.reload()
    onChanged()
  }
  const forgot = (what: WhatRemains) => {
    setRemains(what)
    changed()
  }
  const lead = memoryWords.viewLeads[filter.view]
  return (
    <>
      {lead !== '' && <p className="mb-4 max-w-2xl text-pretty text-soft">{lead}</p>}
      <Forgotten what={remains} />
      <RequestResult reading={list}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <EmptyState>{isUnfiltered(filter, agent_id, inactive) ? memoryWords.empty : memoryWords.emptyViews[filter.view]}</EmptyState>
          ) : (
            <>
              <p role="status" className="mb-2 text-faint text-sm">
                {memoryWords.shown(items.length, hasMore)}
              </p>
              <Items items={items} view={filter.view} onChanged={changed} onForgot={forgot} />
              {hasMore && (
                <Button className="mt-4" onClick={list.more}>
                  {memoryWords.more}
                </Button>
              )}
            </>
          )
        }
      </RequestResult>
    </>
  )
}

interface ItemsProps {
  readonly items: readonly Memory[]
  readonly view: MemoryFilter['view']
  onChanged(): void
  onForgot(what: WhatRemains): void
}

function Items({ items, view, onChanged, onForgot }: ItemsProps) {
  if (view === 'conflicts') {
    return (
      <ul className="space-y-4">
        {oncePerConflict(items).map((memory_id) => (
          <li key={memory_id}>
            <Conflict memory_id={memory_id} onDecided={onChanged} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {items.map((memory) => (
          <li key={memory.id} className="px-4 py-3">
            <MemoryLine memory={memory} />
            {view !== 'all' && <ReviewActions memory={memory} onChanged={onChanged} onForgot={onForgot} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
