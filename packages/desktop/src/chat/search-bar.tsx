// Searches the whole conversation, including rows that are not rendered, which the browser's own search cannot find.
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { Icon } from '../part/icon.tsx'
import type { ThreadPart } from '../store/thread.ts'
import { writingWords } from '../strings/composer.ts'
import { words } from '../strings/window.ts'
import { matchingParts } from './search.ts'

interface Props {
  readonly parts: readonly ThreadPart[]
  /** Scrolls the part into view and highlights it; null highlights nothing. */
  onFound(id: string | null, typed: string): void
  onClose(): void
}

export function SearchBar({ parts, onFound, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => matchingParts(parts, typed), [parts, typed])
  const id = found[at] ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new match is shown once, even if `onFound` changes.
  useEffect(() => onFound(id, typed), [id, typed])
  const go = (step: number) => setAt(found.length === 0 ? 0 : (at + step + found.length) % found.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="find-bar">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just opened it.
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        aria-label={writingWords.find}
        placeholder={writingWords.find}
        title={writingWords.find}
        className="min-w-0 grow bg-transparent px-2 py-1 text-sm outline-none placeholder:text-faint"
      />
      <span role="status" className="shrink-0 text-faint text-xs">
        {typed.trim() === '' ? '' : writingWords.found(at + 1, found.length)}
      </span>
      <button type="button" onClick={() => go(-1)} aria-label={writingWords.before} className="icon-button">
        <Icon name="down" size={13} className="rotate-180" />
      </button>
      <button type="button" onClick={() => go(1)} aria-label={writingWords.next} className="icon-button">
        <Icon name="down" size={13} />
      </button>
      <button type="button" onClick={onClose} aria-label={words.close} className="icon-button">
        <Icon name="close" size={13} />
      </button>
    </search>
  )
}
