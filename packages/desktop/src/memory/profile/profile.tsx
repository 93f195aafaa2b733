// What is known about the user, with evidence, and who the agent is.
import type { AgentIdentityProfile, UserModel } from '@tandem/contract/memory'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'
import { memoryEvents } from '../memory-events.ts'
import { partsOf } from './profile-parts.ts'
import { Signals } from './signals.tsx'

const told = memoryWords.profile

export function ProfileOfAgent({ agent_id }: { agent_id: string }) {
  const version = useNewestEventNumber(memoryEvents)
  const model = useCommand('memory_get_user_model', { agent_id }, { version })
  const identity = useCommand('memory_get_identity_profile', { agent_id }, { version })
  return (
    <>
      <Section title={told.title} lead={told.lead}>
        <RequestResult reading={model}>{({ user_model }) => <AboutUser model={user_model} />}</RequestResult>
      </Section>
      <Section title={told.identity} lead={told.identityLead}>
        <RequestResult reading={identity}>{({ identity_profile }) => <Identity identity={identity_profile} />}</RequestResult>
      </Section>
    </>
  )
}

function AboutUser({ model }: { model: UserModel }) {
  const parts = partsOf(model)
  if (parts.length === 0) return <EmptyState>{told.empty}</EmptyState>
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      {parts.map(({ name, summary, signals }) => (
        <Panel key={name} className="min-w-0 p-4">
          <h3 className="mb-1 font-medium">{told.parts[name]}</h3>
          {signals.length === 0 && <p className="mb-2 break-words text-soft">{visibleText(summary)}</p>}
          <Signals signals={signals} unnamed={name === 'preference_signals' ? 'preference' : undefined} />
        </Panel>
      ))}
    </div>
  )
}

function Identity({ identity }: { identity: AgentIdentityProfile }) {
  const { name, role, purpose, tone, principles, boundaries, signals } = identity
  const rows: readonly (readonly [string, string])[] = [
    [told.role, role],
    [told.purpose, purpose],
    [told.tone, tone ?? ''],
    [told.principles, principles.join('\n')],
    [told.boundaries, boundaries.join('\n')],
  ]
  return (
    <Panel className="p-4">
      <h3 className="mb-2 break-words font-medium">{visibleText(name)}</h3>
      <dl className="mb-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd className={`whitespace-pre-wrap break-words ${value === '' ? 'text-faint' : ''}`}>
              {value === '' ? told.notSet : visibleText(value)}
            </dd>
          </div>
        ))}
      </dl>
      <Signals signals={signals} />
    </Panel>
  )
}
