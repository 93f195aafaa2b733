// What memory does and cannot do on this device, and what its background use of the model has spent.
import type { CommandResult } from '@tandem/contract/command'
import type { ReadRequest } from '../../client/use-request.ts'
import { LoadError } from '../../part/load-error.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'

export type MemoryStatus = CommandResult<'memory_status'>

export function StatusNotes({ reading: { state: asked, reload: again } }: { reading: ReadRequest<MemoryStatus> }) {
  if (asked.state === 'failed') {
    return (
      <div className="mb-6">
        <LoadError error={asked.error} again={again} />
      </div>
    )
  }
  // The height stays while it is loading.
  if (asked.state === 'loading') return <div className="mb-4 h-12" aria-hidden="true" />
  const { memories, background, notes } = asked.value
  const { enabled, tokens_today, daily_tokens } = background
  return (
    <div className="mb-4 space-y-1 text-soft text-sm">
      {notes.map((note) => (
        <p key={note} className="max-w-3xl text-pretty">
          {visibleText(note)}
        </p>
      ))}
      <p className="text-faint">
        {memoryWords.counts(memories.active, memories.superseded, memories.archived)} ·{' '}
        {enabled ? memoryWords.tokens(tokens_today, daily_tokens) : memoryWords.backgroundOff}
      </p>
    </div>
  )
}
