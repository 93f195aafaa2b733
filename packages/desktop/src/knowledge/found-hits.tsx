import type { CommandParams, CommandResult } from '@tandem/contract/command'
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { followLink, passageAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { HeadingPath } from './heading-path.tsx'
import { markedPieces } from './marked-pieces.ts'

const most = 20

export function FoundHits({ params }: { params: CommandParams<'kb_search'> }) {
  const { channel } = useRuntimeClient()
  const found = useRequest(JSON.stringify(params), () => channel.call('kb_search', { ...params, limit: most }))
  return <RequestResult reading={found}>{(value) => <Hits found={value} />}</RequestResult>
}

function Hits({ found: { hits, semantic, late } }: { found: CommandResult<'kb_search'> }) {
  const note = late ? knowledgeWords.searchLate : knowledgeWords.meanings[semantic]
  return (
    <>
      <p role="status" className="mb-3 text-faint text-sm">
        {knowledgeWords.found(hits.length)}
        {note !== '' && ` · ${note}`}
      </p>
      {hits.length === 0 ? (
        <EmptyState>{knowledgeWords.nothingFound}</EmptyState>
      ) : (
        <Panel>
          <ul className="divide-y divide-line">
            {hits.map((hit) => (
              <li key={hit.passage_id} className="px-4 py-3">
                <Hit hit={hit} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Hit({ hit: { passage_id, citation, position, excerpt, marks, signals, similarity } }: { hit: KnowledgeHit }) {
  const reasons = signals
    .toSorted((left, right) => right.share - left.share)
    .map(({ signal, share }) => {
      const reason = knowledgeWords.share(knowledgeWords.signals[signal] ?? visibleName(signal), share)
      return signal === 'meaning' && similarity !== null ? `${reason} (${knowledgeWords.whyMeaning(similarity)})` : reason
    })
  return (
    <>
      <a
        href={passageAddress(passage_id)}
        onClick={followLink}
        className="break-all font-medium text-cloud underline-offset-4 hover:underline"
      >
        <bdi>{visibleName(citation)}</bdi>
      </a>
      <HeadingPath headings={position.headings} />
      <p dir="auto" className="mt-1 line-clamp-4 break-words text-soft">
        {markedPieces(excerpt, marks).map(({ text, isMarked }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text keep their order.
          isMarked ? <mark key={index}>{visibleText(text)}</mark> : visibleText(text),
        )}
      </p>
      {reasons.length > 0 && (
        <p className="mt-1 break-words text-faint text-sm">
          {knowledgeWords.why} {reasons.join(' · ')}
        </p>
      )}
    </>
  )
}
