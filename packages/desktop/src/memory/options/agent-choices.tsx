// What one agent does differently: it keeps your preferences to itself, or its conversations are not reviewed automatically.
import type { Settings } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../../client/use-client.ts'
import { useAgents } from '../../part/agent-select.tsx'
import { LoadingPlaceholder } from '../../part/load-error.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleName } from '../../text/name.ts'

const told = memoryWords.options

/** Each lists the agents that differ from the default. */
const choices = { own_preferences: told.ownPreferences, without_reviews: told.withoutReviews } as const
type Choice = keyof typeof choices

export function AgentChoices() {
  const agents = useAgents()
  const settings = useWindowState((state) => state.settings)
  if (!settings) return <LoadingPlaceholder />
  return (
    <Panel className="p-4">
      {agents.length === 0 && <p className="text-faint">{memoryWords.noAgents}</p>}
      <ul className="grid gap-4 md:grid-cols-2">
        {agents.map(({ agent_id, agent }) => (
          <li key={agent_id} className="min-w-0">
            <fieldset>
              <legend className="mb-1.5 break-words font-medium">{visibleName(agent.name)}</legend>
              <div className="space-y-1.5">
                {(Object.keys(choices) as Choice[]).map((choice) => (
                  <ChoiceOf key={choice} agent_id={agent_id} choice={choice} settings={settings} />
                ))}
              </div>
            </fieldset>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface Props {
  readonly agent_id: string
  readonly choice: Choice
  readonly settings: Settings
}

function ChoiceOf({ agent_id, choice, settings }: Props) {
  const client = useRuntimeClient()
  // Shown immediately; what the runtime stored follows.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isListed = agentsWith(settings, choice).includes(agent_id)
  const change = async () => {
    setChosen(!isListed)
    // Read again: another client may have changed the list since.
    const read = await client.call(memoryWords.doing.agentChoice, 'runtime_get_settings', {})
    if (read.ok) {
      const rest = agentsWith(read.value.settings, choice).filter((id) => id !== agent_id)
      const value = isListed ? rest : [...rest, agent_id]
      await client.call(memoryWords.doing.agentChoice, 'runtime_set_settings', {
        sections: [{ section: 'memory', setting: choice, value }],
      })
      await client.refreshLists()
    }
    setChosen(null)
  }
  return (
    <label className="flex cursor-pointer items-start gap-2.5">
      <input
        type="checkbox"
        checked={chosen ?? isListed}
        disabled={chosen !== null}
        onChange={change}
        className="mt-1.5 accent-(--cloud)"
      />
      <span className="min-w-0">{choices[choice]}</span>
    </label>
  )
}

function agentsWith({ sections }: Settings, choice: Choice): readonly string[] {
  const value = sections.find(({ section, setting }) => section === 'memory' && setting === choice)?.value
  return Array.isArray(value) ? value : []
}
