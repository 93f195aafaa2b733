// What a start needs, now or at set times: the inputs, the agent and the folder.
import type { WorkflowInput } from '@tandem/contract/workflow'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { TextField } from '../part/form/text-field.tsx'
import type { FormState } from '../part/form/use-form.ts'
import { workflowWords } from '../strings/workflows.ts'
import { InputField } from './input-field.tsx'
import { type InputDraft, readInputs } from './input-values.ts'

export interface StartChoice {
  readonly draft: InputDraft
  /** Empty for the default agent. */
  readonly agent_id: string
  /** Empty for the folder of the runtime. */
  readonly workspace: string
}

interface Props {
  readonly inputs: readonly WorkflowInput[]
  readonly value: StartChoice
  onChange(value: StartChoice): void
  /** Whether the default agent can be chosen, whichever that is when it starts. */
  readonly hasDefaultAgent?: boolean
}

const told = workflowWords.start

export function StartFields({ inputs, value, onChange, hasDefaultAgent = true }: Props) {
  const agents = useAgents()
  return (
    <>
      {inputs.map((input) => (
        <InputField
          key={input.name}
          input={input}
          value={value.draft[input.name] ?? ''}
          onChange={(text) => onChange({ ...value, draft: { ...value.draft, [input.name]: text } })}
        />
      ))}
      <TextField
        label={told.folder}
        field="workspace"
        hint={told.folderHint}
        value={value.workspace}
        onChange={(workspace) => onChange({ ...value, workspace })}
        mono
      />
      {agents.length > 1 && (
        <AgentSelect
          agents={agents}
          value={value.agent_id}
          onChange={(agent_id) => onChange({ ...value, agent_id })}
          label={told.agent}
          {...(hasDefaultAgent ? { all: told.agentDefault } : {})}
        />
      )}
    </>
  )
}

/** The parameters of a start; null after the form has shown which inputs are not valid. */
export function startParams(form: FormState, inputs: readonly WorkflowInput[], { draft, agent_id, workspace }: StartChoice) {
  const read = readInputs(inputs, draft)
  if (!read.ok) {
    form.refuse({ code: 'invalid_params', message: told.wrongInput, remedy: told.wrongInputRemedy, fields: [...read.fields] })
    return null
  }
  return {
    inputs: read.inputs,
    ...(agent_id === '' ? {} : { agent_id }),
    ...(workspace.trim() === '' ? {} : { workspace: workspace.trim() }),
  }
}
