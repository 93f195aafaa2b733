// Whose agents can search a source.
import type { KnowledgeOwner, KnowledgeOwnerKind } from '@tandem/contract/knowledge'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { Choice } from '../part/form/choice.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'

const told = knowledgeWords.form
const kinds = ['everyone', 'agent', 'workspace'] as const satisfies readonly KnowledgeOwnerKind[]

export function OwnerFields({ owner, onChange }: { owner: KnowledgeOwner; onChange(owner: KnowledgeOwner): void }) {
  const agents = useAgents()
  const choose = (kind: KnowledgeOwnerKind) => {
    if (kind === 'agent') onChange({ kind, agent_id: agents[0]?.agent_id ?? '' })
    else if (kind === 'workspace') onChange({ kind, path: '' })
    else onChange({ kind })
  }
  return (
    <div className="grid gap-3">
      <Choice label={told.owner} values={kinds} value={owner.kind} onChange={choose} nameOf={(kind) => told.owners[kind]} mono={false} />
      {owner.kind === 'agent' &&
        (agents.length === 0 ? (
          <p className="text-faint text-sm">{told.noAgents}</p>
        ) : (
          <AgentSelect
            agents={agents}
            value={owner.agent_id}
            onChange={(agent_id) => onChange({ kind: 'agent', agent_id })}
            label={told.agent}
          />
        ))}
      {owner.kind === 'workspace' && (
        <TextField
          label={told.folder}
          field="owner.path"
          hint={told.pathHint}
          value={owner.path}
          onChange={(path) => onChange({ kind: 'workspace', path })}
          mono
        />
      )}
    </div>
  )
}
