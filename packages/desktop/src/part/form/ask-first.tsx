import { useState } from 'react'
import { words } from '../../strings/window.ts'
import { Button } from './button.tsx'

interface Props {
  readonly name: string
  readonly label: string
  readonly question: string
  readonly yes: string
  act(): Promise<void>
}

/** A button that acts only after a second one. */
export function AskFirst({ name, label, question, yes, act }: Props) {
  const [state, setState] = useState<'closed' | 'asking' | 'busy'>('closed')
  const confirm = async () => {
    setState('busy')
    await act()
    setState('closed')
  }
  if (state === 'closed') {
    return (
      <Button aria-label={label} onClick={() => setState('asking')}>
        {name}
      </Button>
    )
  }
  return (
    <fieldset className="w-full rounded-lg border border-line bg-bad-soft p-3">
      <legend className="sr-only">{label}</legend>
      <p role="alert" className="mb-2 text-sm">
        {question}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button className="text-bad" disabled={state === 'busy'} onClick={confirm}>
          {yes}
        </Button>
        {/* The safe choice has the focus. */}
        <Button autoFocus disabled={state === 'busy'} onClick={() => setState('closed')}>
          {words.cancel}
        </Button>
      </div>
    </fieldset>
  )
}
