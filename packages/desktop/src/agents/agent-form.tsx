import type { KeptAgent } from '@tandem/contract/command'
import { sandboxModes } from '@tandem/contract/tool'
import { useRuntimeClient } from '../client/use-client.ts'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useDraft, useForm } from '../part/form/use-form.ts'
import { ModelField } from '../part/model-picker.tsx'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'

export function AgentForm({ kept: { agent_id, version, agent } }: { kept: KeptAgent }) {
  const client = useRuntimeClient()
  const form = useForm({ doing: words.doing.agent })
  const [draft, setDraft] = useDraft({ ...agent, turns: String(agent.max_turns) })
  const { fields } = words.agents
  const submit = async () => {
    const { name, description, identity, instructions, model, sandbox_mode, turns } = draft
    const params = {
      agent_id,
      version,
      name,
      description,
      identity: { role: identity.role, tone: identity.tone?.trim() || null },
      instructions,
      model: model?.trim() || null,
      sandbox_mode,
      max_turns: Number(turns),
    }
    const answer = await form.send(() => client.channel.call('agent_update', params), words.saved)
    if (answer.ok) await client.refreshLists()
  }
  return (
    <Panel className="mb-10 p-4">
      <Form form={form} onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        <TextField label={fields.name} field="name" value={draft.name} onChange={(name) => setDraft({ ...draft, name })} />
        <TextField
          label={fields.description}
          field="description"
          value={draft.description}
          onChange={(description) => setDraft({ ...draft, description })}
        />
        <TextField
          label={fields.role}
          field="identity.role"
          value={draft.identity.role}
          onChange={(role) => setDraft({ ...draft, identity: { ...draft.identity, role } })}
        />
        <TextField
          label={fields.tone}
          field="identity.tone"
          value={draft.identity.tone ?? ''}
          onChange={(tone) => setDraft({ ...draft, identity: { ...draft.identity, tone } })}
        />
        <ModelField
          label={fields.model}
          field="model"
          value={draft.model ?? ''}
          hint={fields.modelHint}
          onChange={(model) => setDraft({ ...draft, model })}
        />
        <TextField
          label={fields.max_turns}
          field="max_turns"
          value={draft.turns}
          onChange={(turns) => setDraft({ ...draft, turns })}
          type="number"
        />
        <div className="sm:col-span-2">
          <TextField
            label={fields.instructions}
            field="instructions"
            value={draft.instructions}
            onChange={(instructions) => setDraft({ ...draft, instructions })}
            rows={4}
          />
        </div>
        <div className="sm:col-span-2">
          <Choice
            label={fields.sandbox_mode}
            values={sandboxModes}
            nameOf={(mode) => words.agents.sandboxModes[mode]}
            mono={false}
            value={draft.sandbox_mode}
            onChange={(sandbox_mode) => setDraft({ ...draft, sandbox_mode })}
          />
        </div>
        <FormActions className="sm:col-span-2">
          <PrimaryButton type="submit">{words.save}</PrimaryButton>
        </FormActions>
      </Form>
    </Panel>
  )
}
