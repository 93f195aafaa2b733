// Tells an agent, or all agents, something to remember.
import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { AgentSelect, useAgents } from './agent-select.tsx'

export function AddMemory({ agent_id, onDone }: { agent_id: string | null; onDone(): void }) {
  const client = useRuntimeClient()
  const form = useForm()
  const agents = useAgents()
  const [content, setContent] = useState('')
  const [kind, setKind] = useState<MemoryKind>('preference')
  const [owner, setOwner] = useState(agent_id ?? '')
  const submit = async () => {
    const answer = await form.send(() => client.channel.call('memory_add', { agent_id: owner || null, content, memory_kind: kind }))
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-5 p-4">
      <Form form={form} onSubmit={submit} className="grid gap-4">
        <TextField label={memoryWords.content} field="content" value={content} onChange={setContent} rows={2} />
        <Choice
          label={memoryWords.kind}
          values={memoryKinds}
          value={kind}
          onChange={setKind}
          nameOf={(one) => memoryWords.kinds[one]}
          mono={false}
        />
        <AgentSelect agents={agents} value={owner} onChange={setOwner} label={memoryWords.addFor} all={memoryWords.allAgents} />
        <FormActions>
          <PrimaryButton type="submit" disabled={form.isBusy}>
            {memoryWords.addSave}
          </PrimaryButton>
        </FormActions>
      </Form>
    </Panel>
  )
}
