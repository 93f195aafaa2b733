import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { isBusy } from './use-sources.ts'

/** How much of a source was read, while it is read. */
export function SourceProgress({ source, again }: { source: KnowledgeSource; again(): Promise<void> }) {
  const client = useRuntimeClient()
  if (!isBusy(source)) return null
  const { source_id, state, progress } = source
  const name = visibleName(source.name)
  const total = progress?.total ?? null
  const done = progress?.done ?? 0
  const cancel = async () => {
    await client.call(knowledgeWords.doing.cancel, 'kb_cancel', { source_id })
    await again()
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      {state === 'reading' && (
        <progress
          aria-label={knowledgeWords.progressOf(name)}
          {...(total === null ? {} : { value: done, max: Math.max(1, total) })}
          className="h-1.5 w-40 max-w-full accent-(--cloud)"
        />
      )}
      <span className="text-faint text-sm">
        {state === 'waiting'
          ? knowledgeWords.waits
          : total === null
            ? knowledgeWords.comparing
            : `${knowledgeWords.progress(done, total)} · ${formatBytes(progress?.bytes ?? 0)}`}
      </span>
      <Button aria-label={knowledgeWords.cancelOf(name)} className="px-2 py-0.5" onClick={cancel}>
        {knowledgeWords.cancel}
      </Button>
    </div>
  )
}
