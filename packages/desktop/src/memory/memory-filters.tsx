import { memoryKinds, memoryStates } from '@tandem/contract/memory'
import { Choice } from '../part/form/choice.tsx'
import { memoryWords } from '../strings/memory.ts'
import { type MemoryFilter, type MemoryView, memoryViews } from './memory-filter.ts'
import type { MemoryStatus } from './options/status-notes.tsx'

interface Props {
  readonly filter: MemoryFilter
  onChange(filter: MemoryFilter): void
  /** Null while they are not known. */
  readonly counts: MemoryStatus['memories'] | null
  /** A search finds active memories of every view; only the kind narrows it. */
  readonly isSearch: boolean
}

export function MemoryFilters({ filter, onChange, counts, isSearch }: Props) {
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
      {!isSearch && (
        <Choice
          label={memoryWords.show}
          values={memoryViews}
          value={filter.view}
          onChange={(view) => onChange({ ...filter, view })}
          nameOf={(view) => nameOf(view, counts)}
          mono={false}
        />
      )}
      {/* Together on a line where the views leave no room. */}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <label className="text-faint text-sm">
          <span className="mb-1.5 block">{memoryWords.kind}</span>
          <select
            value={filter.kind}
            onChange={(event) => onChange({ ...filter, kind: memoryKinds.find((kind) => kind === event.target.value) ?? '' })}
            className="field py-1.5 text-ink"
          >
            <option value="">{memoryWords.anyKind}</option>
            {memoryKinds.map((kind) => (
              <option key={kind} value={kind}>
                {memoryWords.kinds[kind]}
              </option>
            ))}
          </select>
        </label>
        {!isSearch && filter.view === 'all' && (
          <label className="text-faint text-sm">
            <span className="mb-1.5 block">{memoryWords.state}</span>
            <select
              value={filter.state}
              onChange={(event) => onChange({ ...filter, state: memoryStates.find((state) => state === event.target.value) ?? '' })}
              className="field py-1.5 text-ink"
            >
              <option value="">{memoryWords.anyState}</option>
              {memoryStates.map((state) => (
                <option key={state} value={state}>
                  {memoryWords.states[state]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </div>
  )
}

function nameOf(view: MemoryView, counts: Props['counts']): string {
  const name = memoryWords.views[view]
  if (counts === null || view === 'all') return name
  const count = { review: counts.to_review, conflicts: counts.conflicts, expiring: counts.expiring_soon }[view]
  return count === 0 ? name : `${name} (${count})`
}
