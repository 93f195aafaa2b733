import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useState } from 'react'
import { type ReadRequest, useCommand, useCompleteList } from '../client/use-request.ts'

/** Sources have no events. While one is read, its progress changes; later, a watched folder may. */
const busy_ms = 1_000
const idle_ms = 10_000

export function isBusy({ state }: Pick<KnowledgeSource, 'state'>): boolean {
  return state === 'waiting' || state === 'reading'
}

export function useSources(): ReadRequest<readonly KnowledgeSource[]> {
  const [every_ms, setEvery] = useState(idle_ms)
  const reading = useCompleteList('kb_list', {}, { every_ms })
  const { state: asked } = reading
  const wanted = asked.state === 'ready' && asked.value.some(isBusy) ? busy_ms : idle_ms
  if (wanted !== every_ms) setEvery(wanted)
  return reading
}

export function useSource(source_id: string): ReadRequest<{ readonly source: KnowledgeSource }> {
  const [every_ms, setEvery] = useState(idle_ms)
  const reading = useCommand('kb_get', { source_id }, { every_ms })
  const { state: asked } = reading
  const wanted = asked.state === 'ready' && isBusy(asked.value.source) ? busy_ms : idle_ms
  if (wanted !== every_ms) setEvery(wanted)
  return reading
}
