// Which agents may run commands on an executor. A setting of this device.
import type { ListedExecutor } from '@tandem/contract/executor'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useAgents } from '../part/agent-select.tsx'
import { executorWords as told } from '../strings/executors.ts'
import { visibleName } from '../text/name.ts'

export function ExecutorAgents({ executor, onChange }: { executor: ListedExecutor; onChange(): Promise<void> }) {
  const { channel, showError } = useRuntimeClient()
  const agents = useAgents()
  const [isBusy, setBusy] = useState(false)
  const { executor_id, name } = executor
  const change = async (agent_id: string, isGranted: boolean) => {
    setBusy(true)
    const changed = await channel.call(isGranted ? 'executor_grant' : 'executor_revoke', { executor_id, agent_id })
    setBusy(false)
    if (!changed.ok) showError(told.doing.grant, changed.error)
    await onChange()
  }
  if (agents.length === 0) return null
  return (
    <fieldset className="mt-3" disabled={isBusy}>
      <legend className="text-sm">{told.agents(name)}</legend>
      <p className="text-faint text-sm">{told.agentsHint}</p>
      <ul className="mt-1 space-y-1">
        {agents.map(({ agent_id, agent }) => (
          <li key={agent_id}>
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="accent-(--cloud)"
                checked={executor.agents.includes(agent_id)}
                onChange={(event) => void change(agent_id, event.target.checked)}
              />
              <bdi className="min-w-0 break-words">{visibleName(agent.name)}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
