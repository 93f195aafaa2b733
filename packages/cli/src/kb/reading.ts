// Waits until sources have been read. Sources are read one after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandError } from '@tandem/contract/command'
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { type ReadingProgress, showReadingProgress } from './progress.ts'
import { type ReadingInterrupt, stopOnInterrupt } from './reading-interrupt.ts'

export type ReadingEnd =
  /** All were read, or reading them failed or was canceled. */
  | { readonly is: 'over'; readonly sources: readonly KnowledgeSource[]; readonly isInterrupted: boolean }
  /** The user left before. */
  | { readonly is: 'left' }
  | { readonly is: 'refused'; readonly error: CommandError }

const pause_ms = 200

/** With progress on standard error, and Ctrl-C to leave. */
export async function readingOf(client: RuntimeClient, sources: readonly KnowledgeSource[]): Promise<ReadingEnd> {
  const progress = showReadingProgress()
  const interrupt = stopOnInterrupt(
    client,
    sources.map(({ source_id }) => source_id),
  )
  try {
    return await endOfReading(client, sources, progress, interrupt)
  } finally {
    interrupt.release()
    progress.end()
  }
}

export async function endOfReading(
  client: Pick<RuntimeClient, 'call'>,
  sources: readonly KnowledgeSource[],
  progress: ReadingProgress,
  { left, canceled }: Pick<ReadingInterrupt, 'left' | 'canceled'>,
): Promise<ReadingEnd> {
  const ended: KnowledgeSource[] = []
  for (const { source_id } of sources) {
    for (;;) {
      const answer = await client.call('kb_get', { source_id })
      if (left.aborted) return { is: 'left' }
      if (!answer.ok) return { is: 'refused', error: answer.error.code === 'canceled' ? lost(answer.error) : answer.error }
      const { source } = answer.value
      if (source.state !== 'waiting' && source.state !== 'reading') {
        ended.push(source)
        break
      }
      progress.show(source)
      await sleep(pause_ms, undefined, { signal: left }).catch(() => undefined)
    }
  }
  return { is: 'over', sources: ended, isInterrupted: canceled.aborted }
}

function lost(error: CommandError): CommandError {
  return { ...error, remedy: 'Start it again with tandem start. It then continues to read the source.' }
}
