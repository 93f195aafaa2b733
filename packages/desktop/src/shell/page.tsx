// Which page an address shows. Pages load when they are first opened; the chat is loaded immediately.
import { lazy } from 'react'
import { decoded } from '../address.ts'
import { ConversationPage } from '../chat/conversation.tsx'
import { NewConversationLink } from '../chat/new-conversation-link.tsx'
import { Welcome } from '../chat/welcome.tsx'
import { words } from '../strings/window.ts'
import type { PageName } from './pages.ts'

const places = {
  pending: lazy(() => import('../runs/pending.tsx')),
  todos: lazy(() => import('../todos/todos.tsx')),
  runs: lazy(() => import('../runs/runs.tsx')),
  teams: lazy(() => import('../team/teams.tsx')),
  workflows: lazy(() => import('../workflows/workflows.tsx')),
  recovery: lazy(() => import('../recovery/recovery.tsx')),
  agents: lazy(() => import('../agents/agents.tsx')),
  memory: lazy(() => import('../memory/memory.tsx')),
  knowledge: lazy(() => import('../knowledge/knowledge.tsx')),
  mcp: lazy(() => import('../mcp/mcp.tsx')),
  skills: lazy(() => import('../skill/skills.tsx')),
  devices: lazy(() => import('../cloud/devices.tsx')),
  files: lazy(() => import('../cloud/files.tsx')),
  tasks: lazy(() => import('../cloud/tasks.tsx')),
  settings: lazy(() => import('../settings/settings.tsx')),
  diagnostics: lazy(() => import('../diagnostics/diagnostics.tsx')),
} satisfies Record<PageName, unknown>

const Learning = lazy(() => import('../learning/learning.tsx'))
const Evolution = lazy(() => import('../evolution/evolution.tsx'))

export function Page({ path }: { path: string }) {
  const [, first = '', second, third, fourth] = path.split('/').map(decoded)
  if (first === '') return <Welcome />
  if (first === 'c' && second !== undefined && (third === undefined || third === 'changes')) {
    const changes = third === undefined ? {} : { changes: { run_id: fourth ?? null } }
    return <ConversationPage conversation_id={second} {...changes} />
  }
  if (first === 'agents') return <places.agents {...(second === undefined ? {} : { agent_id: second })} />
  if (first === 'recovery') {
    return <places.recovery {...(second ? { run_id: second } : {})} {...(third ? { checkpoint_id: third } : {})} />
  }
  if (first === 'memory') return <places.memory {...(second ? { section: second } : {})} {...(third ? { memory_id: third } : {})} />
  if (first === 'knowledge') {
    const run = fourth ? { run_id: fourth } : {}
    return <places.knowledge {...(second ? { section: second } : {})} {...(third ? { id: third } : {})} {...run} />
  }
  if (first === 'workflows') return <places.workflows {...(second ? { section: second } : {})} {...(third ? { id: third } : {})} />
  if (first === 'teams') return <places.teams {...(second ? { run_id: second } : {})} />
  if (first === 'mcp') return <places.mcp {...(second ? { server_id: second } : {})} />
  if (first === 'skills') return <places.skills {...(second ? { name: second } : {})} />
  if (first === 'diagnostics' && second === 'learning') {
    return <Learning {...(third ? { section: third } : {})} {...(fourth ? { id: fourth } : {})} />
  }
  if (first === 'diagnostics' && second === 'evolution') {
    return <Evolution {...(third ? { section: third } : {})} {...(fourth ? { id: fourth } : {})} />
  }
  if (isPlace(first)) {
    const Place = places[first]
    return <Place />
  }
  return (
    <div className="px-6 py-24 text-center">
      <h1 className="mb-2 font-semibold text-xl">{words.notFound}</h1>
      <p className="mb-4 text-soft">{words.notFoundLead}</p>
      <NewConversationLink />
    </div>
  )
}

function isPlace(name: string): name is Exclude<keyof typeof places, 'agents'> {
  return Object.hasOwn(places, name)
}
