// Forgetting a memory: asks first, then shows what remains.
import type { CommandResult } from '@tandem/contract/command'
import { useRuntimeClient } from '../client/use-client.ts'
import { AskFirst } from '../part/form/ask-first.tsx'
import { memoryWords } from '../strings/memory.ts'
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
