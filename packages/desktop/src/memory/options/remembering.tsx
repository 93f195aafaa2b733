// "Don't remember", per agent and per conversation.
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../../client/use-client.ts'
import { useAgents } from '../../part/agent-select.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleName } from '../../text/name.ts'
import type { MemoryStatus } from './status-notes.tsx'

const told = memoryWords.options
/** The rest is found by its title. */
const most = 20

interface Props {
  readonly excluded: MemoryStatus['excluded']
  onChanged(): Promise<void>
}

export function Remembering({ excluded, onChanged }: Props) {
  const agents = useAgents()
  const conversations = useWindowState((state) => state.conversations)
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const excludedFirst = [...(conversations?.values() ?? [])]
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .sort((left, right) => {
      const isOut = (id: string) => Number(excluded.conversations.includes(id))
      return isOut(right.conversation_id) - isOut(left.conversation_id) || (left.updated_at < right.updated_at ? 1 : -1)
    })
  return (
    <Panel className="grid gap-6 p-4 lg:grid-cols-2">
      <div className="min-w-0">
        <h3 className="mb-2 font-medium">{told.agents}</h3>
        {agents.length === 0 && <p className="text-faint">{memoryWords.noAgents}</p>}
        <ul className="space-y-1.5">
          {agents.map(({ agent_id, agent }) => (
            <li key={agent_id}>
              <Exclude
                kind="agent"
                id={agent_id}
                name={visibleName(agent.name)}
                isOut={excluded.agents.includes(agent_id)}
                onChanged={onChanged}
              />
            </li>
          ))}
        </ul>
      </div>
      <div className="min-w-0">
        <h3 className="mb-2 font-medium">{told.conversations}</h3>
        <input
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          aria-label={told.findConversation}
          placeholder={told.findConversation}
          className="field mb-2 w-full py-1"
        />
        {excludedFirst.length === 0 && <p className="text-faint">{told.noConversations}</p>}
        <ul className="space-y-1.5">
          {excludedFirst.slice(0, most).map(({ conversation_id, title }) => (
            <li key={conversation_id}>
              <Exclude
                kind="conversation"
                id={conversation_id}
                name={visibleName(title)}
                isOut={excluded.conversations.includes(conversation_id)}
                onChanged={onChanged}
              />
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

interface ExcludeProps {
  readonly kind: 'agent' | 'conversation'
  readonly id: string
  readonly name: string
  readonly isOut: boolean
  onChanged(): Promise<void>
}

function Exclude({ kind, id, name, isOut, onChanged }: ExcludeProps) {
  const client = useRuntimeClient()
  // Shown immediately; what the runtime stored follows.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const change = async () => {
    setChosen(!isOut)
    await client.call(memoryWords.doing.remembering, 'memory_set_remembering', { kind, id, remember: isOut })
    await onChanged()
    setChosen(null)
  }
  return (
    <label className="flex cursor-pointer items-start gap-2.5">
      <input type="checkbox" aria-label={told.dont(name)} checked={chosen ?? isOut} onChange={change} className="mt-1.5 accent-(--cloud)" />
      <span className="min-w-0 break-words">{name}</span>
    </label>
  )
}
