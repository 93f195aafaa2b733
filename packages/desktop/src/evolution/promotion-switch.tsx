// Whether recommendations of an agent that passed their canary go live without asking.
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Switch } from '../part/form/switch.tsx'
import { evolutionWords } from '../strings/evolution.ts'

/** Nothing until the setting was read. */
export function PromotionSwitch({ agent_id }: { agent_id: string }) {
  const client = useRuntimeClient()
  const read = useCommand('skill_get_promotion', { agent_id })
  if (read.state.state !== 'ready') return null
  const change = async (automatic: boolean) => {
    await client.call(evolutionWords.doing.promotion, 'skill_set_promotion', { agent_id, automatic })
    await read.reload()
  }
  return (
    <Switch label={evolutionWords.promotion.label} value={read.state.value.automatic} onChange={(automatic) => void change(automatic)} />
  )
}
