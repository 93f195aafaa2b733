// The conversations: active, archived or deleted; pinned ones first, then by date. Several can be selected as in a file manager.
import type { Conversation } from '@tandem/contract/command'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { pageOf, useAddress } from '../address.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { useToday } from '../part/use-today.ts'
import { families, rootOf } from '../store/branches.ts'
import { writingWords } from '../strings/composer.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { deleteLines, type Line } from './conversation-actions.ts'
import { ConversationLine } from './conversation-line.tsx'
import { dateGroups } from './date-groups.ts'
import { DeletedLine } from './deleted-line.tsx'
import { useDeletionNotice } from './deletion.ts'
import { SearchResult } from './search-result.tsx'
import { extendedTo, listed, noSelection, toggled } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useConversationSearch } from './use-search.ts'

const told = navigationWords.list
type View = 'active' | 'archived' | 'deleted'
const views: readonly View[] = ['active', 'archived', 'deleted']

export function ConversationList() {
  const path = pageOf(useAddress())
  const conversations = useWindowState((state) => state.conversations)
  const [view, setView] = useState<View>('active')
  const [sought, setSought] = useState('')
  const [chosen, setChosen] = useState(noSelection)
  const found = useConversationSearch(sought)
  const today = useToday()
  const deleted = useDeleted(view)
  const known = view === 'deleted' ? deleted : [...(conversations?.values() ?? [])].filter(({ hidden }) => hidden === (view === 'archived'))
  const shown = known?.toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1)) ?? null
  const all = view === 'deleted' ? new Map(shown?.map((one) => [one.conversation_id, one])) : conversations
  const lines = families(all, shown ?? []).map(({ first, members }) => ({ id: rootOf(all, first.conversation_id), first, members }))
  const isPinned = ({ members }: { members: Line }) => view !== 'deleted' && members.some(({ pinned }) => pinned)
  const groups = [
    ...[{ name: told.pinned, items: lines.filter(isPinned) }].filter(({ items }) => items.length > 0),
    ...dateGroups(
      lines.filter((line) => !isPinned(line)).map((line) => ({ ...line, updated_at: line.first.updated_at })),
      today,
    ).map(({ name, items }) => ({ name: words.conversations.groups[name], items })),
  ]
  const order = groups.flatMap(({ items }) => items.map(({ id }) => id))
  const selection = listed(chosen, order)
  // What was deleted is not selected again when it is restored.
  if (selection !== chosen) setChosen(selection)
  const selected = groups.flatMap(({ items }) => items.filter(({ id }) => selection.ids.has(id)).map(({ members }) => members))
  const isSearching = sought.trim() !== ''
  const choose = (next: View) => {
    setView(next)
    setChosen(noSelection)
  }
  const onClick = (event: MouseEvent, id: string) => {
    if (event.button !== 0 || event.altKey || !(event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    setChosen(event.shiftKey ? extendedTo(selection, id, order) : toggled(selection, id))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && selection !== noSelection) {
      event.stopPropagation()
      return setChosen(noSelection)
    }
    const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-line]') : null
    const id = link?.dataset.line
    if (!link || id === undefined || event.target !== link || event.altKey || event.ctrlKey || event.metaKey) return
    const next = { ArrowDown: order[order.indexOf(id) + 1], ArrowUp: order[order.indexOf(id) - 1] }[event.key]
    if (next !== undefined) {
      if (event.shiftKey) setChosen(extendedTo(selection === noSelection ? toggled(noSelection, id) : selection, next, order))
      event.currentTarget.querySelector<HTMLElement>(`[data-line="${CSS.escape(next)}"]`)?.focus()
    } else if (event.key === ' ') setChosen(toggled(selection, id))
    else if (event.key === 'Delete' && view !== 'deleted') {
      const line = lines.find((one) => one.id === id)
      deleteLines(selected.length > 0 ? selected : line ? [line.members] : [])
    } else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 px-3 pt-2 pb-1.5 text-xs">
        <h2 className="w-full px-1 text-faint">{words.conversations.title}</h2>
        {views.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => choose(one)}
            className="rounded border border-line-strong px-1.5 py-0.5 text-soft hover:text-ink aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-canvas"
          >
            {told.views[one]}
          </button>
        ))}
      </div>
      <div className="px-3 pb-1.5">
        <input
          type="search"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setSought('')}
          maxLength={200}
          aria-label={writingWords.search}
          placeholder={writingWords.search}
          className="field w-full py-1 text-sm"
        />
      </div>
      {selected.length > 0 && !isSearching && <SelectionBar lines={selected} view={view} onClear={() => setChosen(noSelection)} />}
      <nav aria-label={words.conversations.title} onKeyDown={onKeyDown} className="min-h-56 shrink grow basis-0 overflow-y-auto px-2 pb-2">
        {isSearching && (found === null || found.length === 0) && (
          <p role="status" className="px-2.5 py-1.5 text-faint text-sm">
            {found === null ? writingWords.searching : writingWords.nothing(sought.trim())}
          </p>
        )}
        {!isSearching && view === 'deleted' && <p className="px-2.5 py-1.5 text-faint text-xs">{told.deletedLead}</p>}
        {!isSearching && conversations && shown?.length === 0 && <p className="px-2.5 py-1.5 text-faint text-sm">{told.none[view]}</p>}
        {isSearching && (
          <ul className="flex flex-col gap-0.5">
            {found?.map((one) => (
              <SearchResult key={one.conversation_id} found={one} isCurrent={path === `/c/${one.conversation_id}`} />
            ))}
          </ul>
        )}
        {(isSearching ? [] : groups).map(({ name, items }) => (
          <div key={name}>
            <h3 className="px-2.5 pt-2 pb-1 text-faint text-xs">{name}</h3>
            <ul className="flex flex-col gap-0.5">
              {items.map(({ id, first, members }) => {
                if (view === 'deleted')
                  return <DeletedLine key={id} id={id} line={members} isSelected={selection.ids.has(id)} onClick={onClick} />
                const current = members.find(({ conversation_id }) => path === `/c/${conversation_id}`)
                // While one of its branches is open, the line stays with it.
                return (
                  <ConversationLine
                    key={id}
                    id={id}
                    conversation={current ?? first}
                    family={members}
                    isCurrent={current !== undefined}
                    isSelected={selection.ids.has(id)}
                    onClick={onClick}
                    onSelect={() => setChosen(toggled(selection, id))}
                  />
                )
              })}
            </ul>
          </div>
        ))}
      </nav>
    </>
  )
}

/** They are read while they are shown, and again when one was deleted or restored. */
function useDeleted(view: View): readonly Conversation[] | null {
  const { channel } = useRuntimeClient()
  const notice = useDeletionNotice()
  const active = useWindowState((state) => state.conversations?.size ?? 0)
  const { state } = useRequest(
    `deleted ${view}`,
    async () => {
      if (view !== 'deleted') return { ok: true, value: [] }
      const read = await readAll(channel, 'conversation_list', { deleted: true })
      return read.ok ? { ok: true, value: read.value.items } : read
    },
    { version: `${active} ${notice?.conversation_ids.join(' ') ?? ''}` },
  )
  return state.state === 'ready' ? state.value : null
}
