import type { EntityType } from '@tandem/contract/sync'
import { Choice } from '../../part/choice.tsx'
import { strings } from '../../strings/map.ts'
import { contents, type Draft, devices, itemIds, itemStates, ops, times } from './draft.ts'

interface Props {
  readonly title: string
  readonly entityType: EntityType
  readonly draft: Draft
  onChange(draft: Draft): void
}

export function WriteEditor({ title, entityType, draft, onChange }: Props) {
  const words = strings.sync
  return (
    <section aria-label={title}>
      <h3 className="mb-3 font-medium">{title}</h3>
      <div className="space-y-4">
        <Choice label={words.op} values={ops} value={draft.op} onChange={(op) => onChange({ ...draft, op })} />
        {entityType === 'todos' ? (
          <Items draft={draft} onChange={onChange} />
        ) : (
          <>
            <Choice label={words.content} values={contents} value={draft.content} onChange={(content) => onChange({ ...draft, content })} />
            <Choice label={words.updated_at} values={times} value={draft.time} onChange={(time) => onChange({ ...draft, time })} />
            <Choice label={words.device} values={devices} value={draft.device} onChange={(device) => onChange({ ...draft, device })} />
          </>
        )}
      </div>
    </section>
  )
}

function Items({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return itemIds.map((id) => {
    const item = draft.items[id]
    const put = (changed: Partial<typeof item>) => onChange({ ...draft, items: { ...draft.items, [id]: { ...item, ...changed } } })
    return (
      <div key={id} className="space-y-1.5">
        <Choice label={strings.sync.item(id)} values={itemStates} value={item.state} onChange={(state) => put({ state })} />
        {item.state !== 'absent' && (
          <Choice label={`${strings.sync.item(id)} · state_ts`} values={times} value={item.time} onChange={(time) => put({ time })} />
        )}
      </div>
    )
  })
}
