// The field of one input, according to its type.
import type { WorkflowInput } from '@tandem/contract/workflow'
import { Switch } from '../part/form/switch.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'

interface Props {
  readonly input: WorkflowInput
  readonly value: string
  onChange(value: string): void
}

const told = workflowWords.start

export function InputField({ input: { name, type, description = '', required, default_value }, value, onChange }: Props) {
  const named = visibleName(description === '' ? name : description)
  const label = required || default_value !== undefined ? named : told.optional(named)
  const common = { label, field: `inputs.${name}`, value, onChange }
  switch (type) {
    case 'flag':
      return <Switch label={named} value={value === 'true'} onChange={(next) => onChange(String(next))} />
    case 'number':
      return <TextField {...common} type="number" />
    case 'json':
      return <TextField {...common} rows={4} hint={told.jsonHint} mono />
    case 'file':
      return <TextField {...common} hint={told.pathHint} mono />
    case 'text':
      return <TextField {...common} />
  }
}
