// The file of a passage has changed: reads its source again, and then shows the passage as it is now.
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { isBusy } from './use-sources.ts'

interface Props {
  readonly source_id: string
  readonly isOutdated: boolean
  /** The source was read again. */
  onRead(): Promise<void>
}

export function OutdatedNotice({ source_id, isOutdated, onRead }: Props) {
  const client = useRuntimeClient()
  const [state, setState] = useState<'idle' | 'reading'>('idle')
  const reindex = async () => {
    const answer = await client.call(knowledgeWords.doing.reindex, 'kb_reindex', { source_id })
    if (answer.ok) setState('reading')
  }
  const done = async () => {
    await onRead()
    setState('idle')
  }
  return (
    <div role="status" className="empty:hidden">
      {(isOutdated || state === 'reading') && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <p>{state === 'reading' ? knowledgeWords.reindexing : knowledgeWords.outdated}</p>
          {state === 'reading' ? (
            <WaitUntilRead source_id={source_id} onRead={done} />
          ) : (
            <Button className="text-ink" onClick={reindex}>
              {knowledgeWords.reindex}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const every_ms = 500

function WaitUntilRead({ source_id, onRead }: { source_id: string; onRead(): void }) {
  const { state: asked } = useCommand('kb_get', { source_id }, { every_ms })
  const isRead = asked.state === 'failed' || (asked.state === 'ready' && !isBusy(asked.value.source))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it was read.
  useEffect(() => {
    if (isRead) onRead()
  }, [isRead])
  return null
}
