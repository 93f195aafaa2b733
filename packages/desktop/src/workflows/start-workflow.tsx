import { useState } from 'react'
import { goTo, workflowRunAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { draftOf } from './input-values.ts'
import { type StartChoice, StartFields, startParams } from './start-fields.tsx'
import type { StoredWorkflow } from './stored-text.ts'

const told = workflowWords.start

export function StartWorkflow({ workflow: { workflow_id, definition } }: { workflow: StoredWorkflow }) {
  const { channel } = useRuntimeClient()
  const form = useForm()
  const { inputs } = definition
  const [choice, setChoice] = useState<StartChoice>(() => ({ draft: draftOf(inputs), agent_id: '', workspace: '' }))
  // A start that is sent again after a lost connection starts nothing twice.
  const [key] = useState(() => crypto.randomUUID())
  const start = async () => {
    const params = startParams(form, inputs, choice)
    if (params === null) return
    const answer = await form.send(() => channel.call('workflow_start', { workflow_id, key, ...params }))
    if (answer.ok) goTo(workflowRunAddress(answer.value.run.workflow_run_id))
  }
  return (
    <Section title={told.title}>
      <Panel className="p-4">
        <Form form={form} onSubmit={start} className="grid gap-4">
          {inputs.length === 0 && <p className="text-soft text-sm">{told.noInputs}</p>}
          <StartFields inputs={inputs} value={choice} onChange={setChoice} />
          <SubmitActions label={told.start} />
        </Form>
      </Panel>
    </Section>
  )
}
