// What a search found in both channels, and why: memories by meaning and words, and the exact words of memories and messages.
import type { CommandResult } from '@tandem/contract/command'
import type { MemoryKind } from '@tandem/contract/memory'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import type { CallResult } from '../connection/channel.ts'
import { useAgents } from '../part/agent-select.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { visibleText } from '../text/visible.ts'
import { FoundQuote } from './found-quote.tsx'
import { MemoryLine } from './memory-line.tsx'
import { type MemoryFound, mergeFound } from './merge-found.ts'

const most = 20

interface Props {
  readonly agent_id: string | null
  readonly query: string
  readonly kind: MemoryKind | ''
}

export function MemorySearch({ agent_id, query, kind }: Props) {
  const { channel } = useRuntimeClient()
  const agents = useAgents()
  const searched = agent_id === null ? agents.map((one) => one.agent_id) : [agent_id]
  const found = useRequest(JSON.stringify({ searched, query, kind }), async (): Promise<CallResult<MemoryFound>> => {
    const answers = await Promise.all(
      searched.map((one) =>
        channel.call('memory_search', { agent_id: one, query, limit: most, ...(kind === '' ? {} : { memory_kinds: [kind] }) }),
      ),
    )
    const all: CommandResult<'memory_search'>[] = []
    for (const answer of answers) {
      if (!answer.ok) return answer
      all.push(answer.value)
    }
    return { ok: true, value: mergeFound(all) }
  })
  return <RequestResult reading={found}>{(value) => <FoundInBoth found={value} />}</RequestResult>
}

function FoundInBoth({ found: { semantic_recall, exact_evidence, semantic, late } }: { found: MemoryFound }) {
  const note = late ? memoryWords.searchLate : memoryWords.meanings[semantic]
  return (
    <>
      <p role="status" className="mb-3 text-faint text-sm">
        {memoryWords.searchFound(semantic_recall.length, exact_evidence.length)}
      </p>
      {note !== '' && <p className="mb-4 text-soft text-sm">{note}</p>}
      <Section title={memoryWords.byMeaning}>
        {semantic_recall.length === 0 ? (
          <p className="text-faint">{memoryWords.nothingFound}</p>
        ) : (
          <Panel>
            <ul className="divide-y divide-line">
              {semantic_recall.map(({ memory, why }) => (
                <li key={memory.id} className="px-4 py-3">
                  <MemoryLine memory={memory} />
                  <Why why={why} />
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </Section>
      <Section title={memoryWords.quotes}>
        {exact_evidence.length === 0 ? (
          <p className="text-faint">{memoryWords.nothingFound}</p>
        ) : (
          <Panel>
            <ul className="divide-y divide-line">
              {exact_evidence.map((one) => (
                <li key={`${one.evidence.source} ${one.evidence.id}`} className="px-4 py-3">
                  <FoundQuote found={one} />
                  <Why why={one.why} />
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </Section>
    </>
  )
}

function Why({ why: { words, similarity } }: { why: MemoryFound['semantic_recall'][number]['why'] }) {
  const reasons = [
    ...(words.length > 0 ? [memoryWords.whyWords(words.map(visibleText))] : []),
    ...(similarity !== null && similarity > 0 ? [memoryWords.whyMeaning(similarity)] : []),
  ]
  return (
    <p className="mt-1 break-words text-faint text-sm">
      {memoryWords.why} {reasons.length === 0 ? memoryWords.whyNeither : reasons.join(' · ')}
    </p>
  )
}
