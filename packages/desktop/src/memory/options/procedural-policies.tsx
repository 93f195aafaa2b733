// How procedural memories are distilled: the default, and the policies of agents that have their own.
import type { CommandResult } from '@tandem/contract/command'
import { proceduralPolicyModes } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useCommand } from '../../client/use-request.ts'
import { AgentSelect, useAgents } from '../../part/agent-select.tsx'
import { Choice } from '../../part/form/choice.tsx'
import { Form } from '../../part/form/form.tsx'
import { SubmitActions } from '../../part/form/submit-actions.tsx'
import { TextField } from '../../part/form/text-field.tsx'
import { useDraft, useForm } from '../../part/form/use-form.ts'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { visibleName } from '../../text/name.ts'

const told = memoryWords.options

export function ProceduralPolicies() {
  const agents = useAgents()
  const [owner, setOwner] = useState('')
  const policy = useCommand('get_procedural_memory_policy', { agent_id: owner || null })
  const all = useCommand('list_procedural_memory_policies', {})
  const own = all.state.state === 'ready' ? all.state.value.items.filter(({ agent_id }) => agent_id !== null) : []
  const names = new Map(agents.map(({ agent_id, agent }) => [agent_id, agent.name]))
  const saved = () => {
    void policy.reload()
    void all.reload()
  }
  return (
    <Panel className="p-4">
      <AgentSelect agents={agents} value={owner} onChange={setOwner} label={told.policyOf} all={told.everyAgent} />
      {own.length > 0 && (
        <ul className="mb-3 text-soft text-sm">
          {own.map(({ agent_id, mode }) => (
            <li key={agent_id} className="break-words">
              {visibleName(names.get(agent_id ?? '') ?? agent_id ?? '')}: {told.modes[mode]}
            </li>
          ))}
        </ul>
      )}
      <RequestResult reading={policy}>{(value) => <PolicyForm key={owner} owner={owner} current={value} onSaved={saved} />}</RequestResult>
    </Panel>
  )
}

interface Props {
  readonly owner: string
  readonly current: CommandResult<'get_procedural_memory_policy'>
  onSaved(): void
}

function PolicyForm({ owner, current: { policy, inherited }, onSaved }: Props) {
  const client = useRuntimeClient()
  const form = useForm()
  const [draft, setDraft] = useDraft({ mode: policy.mode, steps: String(policy.complex_flow_steps), model: policy.model ?? '' })
  const submit = async () => {
    const params = {
      ...{ agent_id: owner || null, mode: draft.mode },
      ...{ complex_flow_steps: Number(draft.steps), model: draft.model.trim() || null },
    }
    const answer = await form.send(() => client.channel.call('set_procedural_memory_policy', params), words.saved)
    if (answer.ok) onSaved()
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
      {inherited && owner !== '' && <p className="text-soft text-sm sm:col-span-2">{told.inherited}</p>}
      <div className="sm:col-span-2">
        <Choice
          label={told.mode}
          values={proceduralPolicyModes}
          value={draft.mode}
          onChange={(mode) => setDraft({ ...draft, mode })}
          nameOf={(mode) => told.modes[mode]}
          mono={false}
        />
      </div>
      <TextField
        label={told.steps}
        field="complex_flow_steps"
        type="number"
        value={draft.steps}
        onChange={(steps) => setDraft({ ...draft, steps })}
      />
      <TextField
        label={told.model}
        field="model"
        value={draft.model}
        hint={told.modelHint}
        onChange={(model) => setDraft({ ...draft, model })}
        mono
      />
      <SubmitActions label={words.save} className="sm:col-span-2" />
    </Form>
  )
}
