// One round of the scheduler, by hand: it advances policy candidates and skill recommendations.
import type { CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import type { AgentFilter } from './filter.ts'

interface Props {
  readonly filter: AgentFilter
  readonly words: { readonly round: string; readonly roundHint: string; readonly doing: string }
  /** What it changed, in a sentence. */
  resultOf(round: CommandResult<'learning_advance_candidates'>): string
  onDone(): Promise<void>
}

export function SchedulerRound({ filter, words, resultOf, onDone }: Props) {
  const client = useRuntimeClient()
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setSaid('')
    const answer = await client.call(words.doing, 'learning_advance_candidates', filter)
    if (answer.ok) setSaid(resultOf(answer.value))
    await onDone()
    setBusy(false)
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={run} disabled={isBusy}>
        {words.round}
      </Button>
      <span className="min-w-0 flex-1 basis-60 text-faint text-sm">{words.roundHint}</span>
      <span role="status" className="text-good text-sm">
        {said}
      </span>
    </div>
  )
}
