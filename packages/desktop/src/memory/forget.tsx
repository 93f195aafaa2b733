// Forgetting a memory: asks first, then shows what remains.
import type { CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export type WhatRemains = CommandResult<'memory_forget'>

interface Props {
  readonly memory_id: string
  readonly label: string
  onForgot(what: WhatRemains): void
}

export function Forget({ memory_id, label, onForgot }: Props) {
  const client = useRuntimeClient()
  const forget = async () => {
    const answer = await client.call(memoryWords.doing.forget, 'memory_forget', { memory_id })
    if (answer.ok) onForgot(answer.value)
  }
  return <AskFirst name={memoryWords.forget} label={label} question={memoryWords.forgetSure} yes={memoryWords.forgetYes} act={forget} />
}

interface AskProps {
  readonly name: string
  readonly label: string
  readonly question: string
  readonly yes: string
  act(): Promise<void>
}

/** A button that acts only after a second one. */
export function AskFirst({ name, label, question, yes, act }: AskProps) {
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

/** Announced when it appears. */
export function Forgotten({ what }: { what: WhatRemains | null }) {
  return (
    <div role="status" className="mb-4 rounded-lg bg-sunken p-3 text-sm empty:hidden">
      {what && (
        <>
          <p className="font-medium">{memoryWords.forgotten(what.memories, what.graph_edges)}</p>
          <p className="mt-1 text-faint">{memoryWords.remains}</p>
          <ul className="list-disc pl-5 text-soft">
            {what.remains.map((one) => (
              <li key={one}>{visibleText(one)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
