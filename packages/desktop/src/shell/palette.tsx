// The command palette: pages, conversations, and frequent actions by name.
import type { FoundConversation } from '@tandem/contract/command'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { goTo } from '../address.ts'
import { writingWords } from '../strings/composer.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { type Entry, useEntries } from './palette-entries.ts'
import { useConversationSearch } from './use-search.ts'

export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const entries = useEntries()
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const { answer } = useConversationSearch(text)
  const said = answer?.ok ? answer.value : []
  const named = entries
    .filter(({ onlyIfSearched }) => !onlyIfSearched || wanted.length > 0)
    .filter(({ name, hint, synonyms = '' }) => wanted.every((word) => `${name} ${hint} ${synonyms}`.toLowerCase().includes(word)))
    .slice(0, 50)
  // Matches in messages come after matches in names. Older conversations are only found by the search.
  const known = new Set(entries.map((entry) => entry.id))
  const others = said.filter(({ conversation_id, message_id }) => message_id !== null || !known.has(conversation_id))
  const found = [...named, ...others.map(entryOf)].slice(0, 50)
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1))
    else if (event.key === 'Enter') run(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={words.palette.title} className="palette">
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder={words.palette.hint}
        aria-label={words.palette.hint}
        className="w-full border-line border-b bg-transparent px-4 py-3 outline-none placeholder:text-faint"
      />
      {found.length === 0 && (
        <p className="px-4.5 pt-3.5 pb-2 text-faint">{answer?.ok === false ? writingWords.searchFailed : words.palette.nothing}</p>
      )}
      <div id={id} role="listbox" aria-label={words.palette.title} className="max-h-[min(21rem,60vh)] overflow-y-auto p-1.5">
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above handles the keys.
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(entry)}
            onPointerMove={() => setAt(index)}
            className="cursor-pointer justify-between gap-4 rounded-md px-3 py-1.5 sm:flex"
          >
            <span title={entry.name} className="block truncate">
              {entry.name}
            </span>
            <span title={entry.hint} className="block shrink-0 truncate text-faint text-sm sm:max-w-2/5">
              {entry.hint}
            </span>
          </div>
        ))}
      </div>
    </dialog>
  )
}

function entryOf({ conversation_id, title, excerpt }: FoundConversation): Entry {
  return {
    id: `said:${conversation_id}`,
    name: visibleText(title),
    hint: visibleText(excerpt).slice(0, 60),
    run: () => goTo(`/c/${conversation_id}`),
  }
}
