// The conversations: active, archived or deleted; pinned ones first, then by date. Several can be selected as in a file manager.
import { type KeyboardEvent, type MouseEvent, useCallback, useRef, useState } from 'react'
import { pageOf, useAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { LoadError } from '../part/load-error.tsx'
import { isShortcut } from '../part/shortcuts.ts'
import { writingWords } from '../strings/composer.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { deleteLines } from './conversation-actions.ts'
import { ConversationLine } from './conversation-line.tsx'
import { DeletedLine } from './deleted-line.tsx'
import { type View, views } from './listed-lines.ts'
import { SearchResult } from './search-result.tsx'
import { extendedTo, listed, noSelection, toggled } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useLines } from './use-lines.ts'
import { useConversationSearch } from './use-search.ts'

const told = navigationWords.list

export function ConversationList() {
  const path = pageOf(useAddress())
  const [view, setView] = useState<View>('active')
  const [sought, setSought] = useState('')
  const [chosen, setChosen] = useState(noSelection)
  const search = useConversationSearch(sought)
  const found = search.answer?.ok ? search.answer.value : null
  const searchError = search.answer?.ok === false ? search.answer.error : null
  const { lines, groups, isRead, failed, again } = useLines(view)
  const order = lines.map(({ id }) => id)
  const selection = listed(chosen, order)
  // What was deleted is not selected again when it is restored.
  if (selection !== chosen) setChosen(selection)
  const selected = lines.filter(({ id }) => selection.ids.has(id)).map(({ members }) => members)
  const isSearching = sought.trim() !== ''
  const current = useRef({ selection, order })
  current.current = { selection, order }
  const choose = (next: View) => {
    setView(next)
    setChosen(noSelection)
  }
  // The same functions for all lines and every time: a line whose conversation is unchanged is not rendered again.
  const onClick = useCallback((event: MouseEvent, id: string) => {
    if (event.button !== 0 || event.altKey || !(event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    const now = current.current
    setChosen(event.shiftKey ? extendedTo(now.selection, id, now.order) : toggled(now.selection, id))
  }, [])
  const onSelect = useCallback((id: string) => setChosen(toggled(current.current.selection, id)), [])
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
    } else if (isShortcut(event, 'select')) setChosen(toggled(selection, id))
    else if (isShortcut(event, 'delete') && view !== 'deleted') {
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
        {isSearching && searchError && <LoadError error={searchError} again={search.again} />}
        {isSearching && !searchError && (found === null || found.length === 0) && (
          <p role="status" className="px-2.5 py-1.5 text-faint text-sm">
            {found === null ? writingWords.searching : writingWords.nothing(sought.trim())}
          </p>
        )}
        {!isSearching && view === 'deleted' && <p className="px-2.5 py-1.5 text-faint text-xs">{told.deletedLead}</p>}
        {!isSearching && failed && <LoadError error={failed} again={again} />}
        {!isSearching && isRead && lines.length === 0 && <p className="px-2.5 py-1.5 text-faint text-sm">{told.none[view]}</p>}
        {isSearching && (
          <ul className="flex flex-col gap-0.5">
            {found?.map((one) => (
              <SearchResult key={one.conversation_id} found={one} isCurrent={path === `/c/${one.conversation_id}`} />
            ))}
          </ul>
        )}
        {(isSearching ? [] : groups).map(({ name, items }) => (
          <div key={name}>
            <h3 className="px-2.5 pt-2 pb-1 text-faint text-xs">{name === 'pinned' ? told.pinned : words.conversations.groups[name]}</h3>
            <ul className="flex flex-col gap-0.5">
              {items.map(({ id, first, members }) => {
                if (view === 'deleted')
                  return <DeletedLine key={id} id={id} line={members} isSelected={selection.ids.has(id)} onClick={onClick} />
                const open = members.find(({ conversation_id }) => path === `/c/${conversation_id}`)
                // While one of its branches is open, the line stays with it.
                return (
                  <ConversationLine
                    key={id}
                    id={id}
                    conversation={open ?? first}
                    family={members}
                    isCurrent={open !== undefined}
                    isSelected={selection.ids.has(id)}
                    onClick={onClick}
                    onSelect={onSelect}
                  />
                )
              })}
            </ul>
          </div>
        ))}
        {!isSearching && view !== 'deleted' && <LoadOlder list={view} />}
      </nav>
    </>
  )
}

function LoadOlder({ list }: { list: 'active' | 'archived' }) {
  const client = useRuntimeClient()
  const hasOlder = useWindowState((state) => state.olderConversations[list])
  const [isBusy, setIsBusy] = useState(false)
  if (!hasOlder) return null
  const load = async () => {
    if (isBusy) return
    setIsBusy(true)
    await client.readOlderConversations(told.doing.older, list)
    setIsBusy(false)
  }
  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void load()} className="quiet-field mt-1 w-full text-left">
      {isBusy ? words.loading : told.older}
    </button>
  )
}
