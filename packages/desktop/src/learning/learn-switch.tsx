// Whether runs of an agent, or of a conversation, are learned from.
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Switch } from '../part/form/switch.tsx'
import { learningWords } from '../strings/learning.ts'

interface Props {
  readonly kind: 'agent' | 'conversation'
  readonly id: string
  readonly label: string
}

/** Nothing until the setting was read. */
export function LearnSwitch({ kind, id, label }: Props) {
  const client = useRuntimeClient()
  const read = useCommand('learning_get_enabled', { kind, id })
  if (read.state.state !== 'ready') return null
  const change = async (enabled: boolean) => {
    await client.call(learningWords.doing.enable, 'learning_set_enabled', { kind, id, enabled })
    await read.reload()
  }
  return <Switch label={label} value={read.state.value.enabled} onChange={(enabled) => void change(enabled)} />
}
