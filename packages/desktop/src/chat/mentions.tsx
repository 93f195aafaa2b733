// What matches the text after an @ or a /, shown above the composer.
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { writingWords } from '../strings/composer.ts'
import { visibleText } from '../text/visible.ts'

const mostShown = 8
const pause_ms = 80

export interface Suggestion {
  readonly value: string
  readonly text: string
  /** A command that is carried out when it is chosen. */
  readonly runs?: boolean
  readonly detail?: string
}

/** Null while there are no matches. `folder`: that of a conversation that has not started; without one, there are no files to name. */
export function useFileSuggestions(
  conversation_id: string | null,
  typed: string | null,
  folder: string | null = null,
): readonly Suggestion[] | null {
  const client = useRuntimeClient()
  const [files, setFiles] = useState<readonly Suggestion[] | null>(null)
  useEffect(() => {
    if (typed === null || (conversation_id === null && !folder)) return setFiles(null)
    let gone = false
    const cancel = client.clock.after(pause_ms, async () => {
      const params = {
        query: typed,
        limit: mostShown,
        ...(conversation_id !== null ? { conversation_id } : folder ? { workspace: folder } : {}),
      }
      const answer = await client.channel.call('workspace_list_files', params)
      if (!gone) setFiles(answer.ok ? answer.value.items.map(({ path }) => ({ value: path, text: path })) : null)
    })
    return () => {
      gone = true
      cancel()
    }
  }, [client, conversation_id, typed, folder])
  return typed === null ? null : files
}

interface Props {
  readonly id: string
  readonly label: string
  readonly suggestions: readonly Suggestion[]
  readonly chosen: number
  onChoose(value: string): void
}

export function Mentions({ id, label, suggestions, chosen, onChoose }: Props) {
  return (
    <div id={id} role="listbox" aria-label={label} className="max-h-64 overflow-y-auto border-line border-b p-1.5">
      {suggestions.length === 0 && <p className="px-3 py-1.5 text-faint text-sm">{writingWords.noFiles}</p>}
      {suggestions.map(({ value, text, detail }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer handles the keys.
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(value)}
          title={detail === undefined ? visibleText(text) : visibleText(detail)}
          className="wrap-anywhere cursor-pointer rounded-md px-3 py-1 font-mono text-[13px] sm:truncate"
        >
          <bdi>{visibleText(text)}</bdi>
          {detail !== undefined && <span className="ml-3 font-sans text-faint">{visibleText(detail)}</span>}
        </div>
      ))}
    </div>
  )
}
