import type { KeptAgent } from '@tandem/contract/command'
import { sandboxModes } from '@tandem/contract/tool'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { Choice } from '../part/choice.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { Panel } from '../part/section.tsx'
import { TextField } from '../part/text-field.tsx'
import { words } from '../strings/window.ts'

export function AgentForm({ kept: { agent_id, version, agent } }: { kept: KeptAgent }) {
  const desk = useDesk()
  const [draft, setDraft] = useState(agent)
  const [turns, setTurns] = useState(String(agent.max_turns))
  const [said, setSaid] = useState('')
  const { fields } = words.agents
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSaid('')
    const { name, description, identity, instructions, model, sandbox_mode } = draft
    const answer = await desk.ask(words.doing.agent, 'agent_update', {
      agent_id,
      version,
      name,
      description,
      identity: { role: identity.role, tone: identity.tone?.trim() || null },
      instructions,
      model: model?.trim() || null,
      sandbox_mode,
      max_turns: Number(turns),
    })
    if (!answer.ok) return
    setSaid(words.saved)
    await desk.refreshLists()
  }
  return (
    <Panel className="mb-10 p-4">
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        <TextField label={fields.name} value={draft.name} onChange={(name) => setDraft({ ...draft, name })} />
        <TextField label={fields.description} value={draft.description} onChange={(description) => setDraft({ ...draft, description })} />
        <TextField
          label={fields.role}
          value={draft.identity.role}
          onChange={(role) => setDraft({ ...draft, identity: { ...draft.identity, role } })}
        />
        <TextField
          label={fields.tone}
          value={draft.identity.tone ?? ''}
          onChange={(tone) => setDraft({ ...draft, identity: { ...draft.identity, tone } })}
        />
        <TextField
          label={fields.model}
          value={draft.model ?? ''}
          hint={fields.modelHint}
          onChange={(model) => setDraft({ ...draft, model })}
          mono
        />
        <TextField label={fields.max_turns} value={turns} onChange={setTurns} type="number" />
        <div className="sm:col-span-2">
          <TextField
            label={fields.instructions}
            value={draft.instructions}
            onChange={(instructions) => setDraft({ ...draft, instructions })}
            rows={4}
          />
        </div>
        <Choice
          label={fields.sandbox_mode}
          values={sandboxModes}
          value={draft.sandbox_mode}
          onChange={(sandbox_mode) => setDraft({ ...draft, sandbox_mode })}
        />
        <div className="flex items-center gap-3 sm:col-span-2">
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
          <span role="status" className="text-good text-sm">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}
