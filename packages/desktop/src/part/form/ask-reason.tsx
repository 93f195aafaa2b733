import { useState } from 'react'
import { words } from '../../strings/window.ts'
import { Button } from './button.tsx'

interface Props {
  readonly name: string
  readonly label: string
  /** The label of the field. */
  readonly reason: string
  readonly isBusy: boolean
  act(reason: string): Promise<void>
}

/** A button that asks for a reason, which may be left out, before it acts. */
export function AskReason({ name, label, reason, isBusy, act }: Props) {
  const [text, setText] = useState<string | null>(null)
  if (text === null) {
    return (
      <Button aria-label={label} disabled={isBusy} onClick={() => setText('')}>
        {name}…
      </Button>
    )
  }
  return (
    <form
      aria-label={label}
      className="flex w-full flex-wrap items-end gap-2 rounded-lg border border-line bg-sunken p-3"
      onSubmit={(event) => {
        event.preventDefault()
        void act(text)
      }}
    >
      <label className="min-w-0 grow basis-60 text-faint text-sm">
        {reason}
        <input
          // biome-ignore lint/a11y/noAutofocus: the user just opened it.
          autoFocus
          value={text}
          maxLength={1_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setText(null)}
          className="field mt-1 w-full text-ink"
        />
      </label>
      <Button type="submit" disabled={isBusy} className="text-bad">
        {name}
      </Button>
      <Button disabled={isBusy} onClick={() => setText(null)}>
        {words.cancel}
      </Button>
    </form>
  )
}
