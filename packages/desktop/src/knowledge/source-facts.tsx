import type { KnowledgeOrigin, KnowledgeSource, KnowledgeSourceState } from '@tandem/contract/knowledge'
import { followLink, sourceAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { formatAgo } from '../text/ago.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { useAgentName, useOwnerName } from './owner-name.ts'

const tones: Readonly<Record<KnowledgeSourceState, Tone>> = {
  waiting: 'plain',
  reading: 'cloud',
  ready: 'good',
  canceled: 'warn',
  failed: 'bad',
}

export function SourceState({ state }: { state: KnowledgeSourceState }) {
  return <Badge tone={tones[state]}>{knowledgeWords.states[state]}</Badge>
}

/** Where it comes from, whose it is, how large it is, and when it was last checked. */
export function SourceFacts({ source, isLinked }: { source: KnowledgeSource; isLinked: boolean }) {
  const { source_id, origin, owner, added_by, watch, files, left_out, passages, bytes, checked_at } = source
  const { clock } = useRuntimeClient()
  const ownerName = useOwnerName(owner)
  const adder = useAgentName(added_by ?? '')
  const isRead = checked_at !== null || passages > 0
  const facts = [
    ownerName,
    ...(added_by === null ? [] : [knowledgeWords.addedBy(adder)]),
    ...(isRead && origin.kind === 'folder'
      ? [left_out === 0 ? knowledgeWords.files(files) : knowledgeWords.searchable(files, files + left_out)]
      : []),
    ...(isRead ? [knowledgeWords.passages(passages), formatBytes(bytes)] : []),
    checked_at === null ? knowledgeWords.neverChecked : knowledgeWords.checked(formatAgo(checked_at, clock.now())),
    ...(watch && origin.kind === 'folder' ? [knowledgeWords.watched] : []),
  ]
  return (
    <>
      <p className="mt-0.5 break-words text-soft text-sm">
        {knowledgeWords.kinds[origin.kind]} · <Place origin={origin} />
      </p>
      <p className="mt-0.5 break-words text-faint text-sm">
        {facts.join(' · ')}
        {left_out > 0 && (
          <>
            {' · '}
            {isLinked ? (
              <a href={sourceAddress(source_id)} onClick={followLink} className="whitespace-nowrap text-warn underline underline-offset-4">
                {knowledgeWords.leftOut(left_out)}
              </a>
            ) : (
              <span className="whitespace-nowrap text-warn">{knowledgeWords.leftOut(left_out)}</span>
            )}
          </>
        )}
      </p>
    </>
  )
}

function Place({ origin }: { origin: KnowledgeOrigin }) {
  if (origin.kind === 'text') return knowledgeWords.characters(origin.characters)
  return <bdi className="font-mono text-[13px]">{visibleName(origin.kind === 'url' ? origin.url : origin.path)}</bdi>
}
