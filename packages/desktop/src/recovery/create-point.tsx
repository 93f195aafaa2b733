import type { CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { CallError } from '../connection/channel.ts'
import { Button } from '../part/form/button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { visibleText } from '../text/visible.ts'

type Taken = CommandResult<'agent_run_create_checkpoint'>

/** Creates a recovery point of the current state on request. */
export function CreatePoint({ run_id }: { run_id: string }) {
  const client = useRuntimeClient()
  const [doing, setDoing] = useState<'nothing' | 'taking'>('nothing')
  const [taken, setTaken] = useState<Taken | null>(null)
  const [refused, setRefused] = useState<CallError | null>(null)
  const take = async () => {
    setDoing('taking')
    const answer = await client.channel.call('agent_run_create_checkpoint', { run_id })
    setDoing('nothing')
    setTaken(answer.ok ? answer.value : null)
    setRefused(answer.ok ? null : answer.error)
  }
  return (
    <div className="mb-5">
      <Button onClick={take} disabled={doing === 'taking'}>
        {doing === 'taking' ? recoveryWords.takingPoint : recoveryWords.takePoint}
      </Button>
      <div role="status" className="mt-2 text-sm text-soft">
        {taken && <p>{recoveryWords.pointTaken}</p>}
        {taken && taken.unprotected.length > 0 && (
          <ul aria-label={recoveryWords.unprotected} className="list-disc pl-5">
            {taken.unprotected.map((text) => (
              <li key={text} className="break-words">
                {recoveryWords.doesNotComeBack(visibleText(text))}
              </li>
            ))}
          </ul>
        )}
      </div>
      {refused && <LoadError error={refused} again={take} />}
    </div>
  )
}
