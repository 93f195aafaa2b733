// A box that narrows a list, and the rule by which it does.
import { useState } from 'react'
import { strings } from '../strings/map.ts'

export interface Filter {
  readonly text: string
  setText(text: string): void
  /** Whether every word typed is found in one of these. */
  shows(...texts: readonly string[]): boolean
}

export function useFilter(): Filter {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return {
    text,
    setText,
    shows(...texts) {
      const all = texts.join('\n').toLowerCase()
      return words.every((word) => all.includes(word))
    },
  }
}

export function FilterBox({ filter, what, shown, all }: { filter: Filter; what: string; shown: number; all: number }) {
  return (
    <div className="mb-7 flex items-center gap-3">
      <input
        type="search"
        value={filter.text}
        onChange={(event) => filter.setText(event.target.value)}
        placeholder={strings.filter(what)}
        aria-label={strings.filter(what)}
        className="w-full max-w-sm rounded-lg border border-line-strong bg-surface px-3 py-2 placeholder:text-faint"
      />
      <output className="whitespace-nowrap text-faint text-sm" aria-live="polite">
        {strings.shown(shown, all)}
      </output>
    </div>
  )
}

export function NothingMatches({ filter }: { filter: Filter }) {
  return <p className="rounded-xl border border-line border-dashed p-8 text-center text-faint">{strings.nothing_matches(filter.text)}</p>
}
