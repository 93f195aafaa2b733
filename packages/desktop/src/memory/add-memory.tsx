// Tells an agent, or all agents, something to remember.
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { Panel } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { MemoryForm } from './memory-form.tsx'

export function AddMemory({ agent_id, onDone }: { agent_id: string | null; onDone(): void }) {
  const { channel } = useRuntimeClient()
  const agents = useAgents()
  const [owner, setOwner] = useState(agent_id ?? '')
  return (
    <Panel className="mb-5 p-4">
      <MemoryForm
        initial={{ content: '', memory_kind: 'preference' }}
        submit={memoryWords.addSave}
        save={(draft) => channel.call('memory_add', { agent_id: owner || null, ...draft })}
        onDone={onDone}
      >
        <AgentSelect agents={agents} value={owner} onChange={setOwner} label={memoryWords.addFor} all={memoryWords.allAgents} />
      </MemoryForm>
    </Panel>
  )
}
