// The first page: a composer, and what to expect.
import type { KeptAgent } from '@tandem/contract/command'
import { useEffect, useRef, useState } from 'react'
import { followLink, goTo } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useFocusOnProblem } from '../part/form/form.tsx'
import { FormContext, useForm } from '../part/form/use-form.ts'
import { Logo } from '../part/logo.tsx'
import { useTitle } from '../part/use-title.ts'
import { keepDraft, readDraft } from '../store/draft.ts'
import { words } from '../strings/window.ts'
import { SampleOffer } from '../tour/sample-offer.tsx'
import { Tour } from '../tour/tour.tsx'
import { Composer, type OutgoingMessage } from './composer.tsx'
import { newAgentPlace } from './use-slash.ts'

const place = 'new'

export function Welcome() {
  const client = useRuntimeClient()
  useTitle('')
  const hasNoModel = useWindowState((state) => state.status?.model.state === 'unset')
  const agents = useWindowState((state) => state.agents)
  const [agent, setAgent] = useState(() => readDraft(newAgentPlace))
  useEffect(() => {
    // Chosen with /agent, here or in a conversation.
    const choose = () => setAgent(readDraft(newAgentPlace))
    addEventListener('tandem:new-agent', choose)
    return () => {
      removeEventListener('tandem:new-agent', choose)
      keepDraft(newAgentPlace, '')
    }
  }, [])
  const [filled, setFilled] = useState(0)
  const form = useForm({ doing: words.doing.start, general: 'notice' })
  const writing = useRef<HTMLDivElement>(null)
  useFocusOnProblem(form, writing)
  const made = useRef<string | null>(null)
  const choices = [...(agents?.values() ?? [])].filter((one) => !one.agent.archived)
  const send = async (sending: OutgoingMessage) => {
    made.current ??= await create(sending.text)
    if (made.current === null) return false
    const conversation_id = made.current
    // Opened before the run starts, so that no text is missed.
    client.clock.after(5_000, client.openThread(conversation_id))
    const answer = await form.send(() => client.channel.call('agent_run_start', { conversation_id, ...sending }))
    if (!answer.ok) return false
    keepDraft(place, '')
    goTo(`/c/${conversation_id}`)
    await client.refreshLists()
    return true
  }
  const create = async (text: string) => {
    const params = { title: titleOf(text), ...(agent === '' ? {} : { agent_id: agent }) }
    const answer = await client.call(words.doing.create, 'conversation_create', params)
    if (!answer.ok) return null
    client.addConversation(answer.value.conversation)
    return answer.value.conversation.conversation_id
  }
  const suggest = (text: string) => {
    keepDraft(place, text)
    setFilled(filled + 1)
  }
  return (
    <div className="mx-auto flex min-h-full max-w-2xl flex-col justify-center gap-6 px-4 py-10 sm:px-6">
      <div>
        <Logo />
        <h1 className="mt-4 mb-1.5 font-semibold text-2xl tracking-tight">{words.welcome.title}</h1>
        <p className="text-soft">{words.welcome.lead}</p>
      </div>
      {hasNoModel && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          {words.welcome.noModel}{' '}
          <a href="/settings" onClick={followLink} className="underline underline-offset-4">
            {words.welcome.setModel}
          </a>
        </p>
      )}
      <Tour />
      <FormContext value={form}>
        <div ref={writing}>
          <Composer key={filled} place={place} agent_id={agent || defaultAgent(choices)} running={null} hint={null} send={send} autoFocus />
        </div>
      </FormContext>
      {choices.length > 1 && (
        <label className="flex items-center gap-2 text-faint text-sm">
          {words.composer.agent}
          <select value={agent} onChange={(event) => setAgent(event.target.value)} className="field py-1">
            <option value="">–</option>
            {choices.map(({ agent_id, agent: { name } }) => (
              <option key={agent_id} value={agent_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul className="flex flex-col gap-1.5">
        {words.welcome.suggestions.map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => suggest(text)}
              className="w-full rounded-lg border border-line px-3.5 py-2 text-left text-soft hover:border-line-strong hover:text-ink"
            >
              {text}
            </button>
          </li>
        ))}
        <SampleOffer />
      </ul>
    </div>
  )
}

function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line
}

/** The one that the runtime chooses: the oldest. */
function defaultAgent(agents: readonly KeptAgent[]): string | null {
  const [oldest] = agents.toSorted((one, other) => (one.agent.created_at < other.agent.created_at ? -1 : 1))
  return oldest?.agent_id ?? null
}
