import type { Memory, Procedure } from '@tandem/contract/memory'
import { useOwner } from '../part/agent-select.tsx'
import { Panel, Section } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

const { facts } = memoryWords

export function MemoryFacts({ memory }: { memory: Memory }) {
  const owner = useOwner(memory.agent_id)
  const { subject, source_type, authority, confidence, use_count, last_used_at, created_at, expires_at, procedure } = memory
  const about = subject === 'user' || subject === 'agent' ? memoryWords.subjects[subject] : subject.replace(/^\w+:/, '')
  const rows: readonly (readonly [string, string])[] = [
    [facts.about, about],
    [facts.agent, owner],
    [facts.source, memoryWords.sourceTypes[source_type]],
    [facts.authority, memoryWords.authorities[authority]],
    [facts.confidence, memoryWords.profile.confidence(confidence)],
    [facts.learned, formatTime(created_at)],
    [facts.used, facts.times(use_count, last_used_at === null ? null : formatTime(last_used_at))],
    [facts.expires, expires_at === null ? facts.never : formatTime(expires_at)],
    ...(procedure ? procedureRows(procedure) : []),
  ]
  return (
    <Section title={facts.title}>
      <Panel className="p-4">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{name}</dt>
              <dd className="whitespace-pre-wrap break-words">{visibleText(value)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </Section>
  )
}

function procedureRows({ distiller, fallback_reason, successes, failures }: Procedure): readonly (readonly [string, string])[] {
  return [
    [facts.distilled, `${facts.distillers[distiller]}${fallback_reason === undefined ? '' : facts.fallback(fallback_reason)}`],
    [facts.runs, facts.runCounts(successes, failures)],
  ]
}
