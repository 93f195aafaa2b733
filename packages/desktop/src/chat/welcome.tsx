// The first page: a composer, and what to expect.
import type { KeptAgent } from '@tandem/contract/command'
import { demoModel } from '@tandem/contract/model'
import { useEffect, useMemo, useRef, useState } from 'react'
import { followLink } from '../address.ts'
import { openFirstConversation } from '../client/first-conversation.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { FolderButton } from '../folder/folder-button.tsx'
import { shortPath } from '../folder/typed-path.ts'
import { useRecentFolders } from '../folder/use-folders.ts'
import { goToComposer } from '../part/composer-focus.ts'
import { useFocusOnProblem } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { FormContext, useForm } from '../part/form/use-form.ts'
import { Logo } from '../part/logo.tsx'
import { useTitle } from '../part/use-title.ts'
import { keepChoice, keepDraft, moveDraft, readChoice } from '../store/draft.ts'
import { folderWords } from '../strings/folders.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { SampleOffer } from '../tour/sample-offer.tsx'
import { Tour } from '../tour/tour.tsx'
import { Composer, type OutgoingMessage } from './composer.tsx'
import { keepOptions } from './use-run-options.ts'
import { newAgentPlace } from './use-slash.ts'

const place = 'new'
/** The key of the folder that was chosen for the next conversation. */
const newFolderPlace = 'new:folder'

export function Welcome() {
  const client = useRuntimeClient()
  useTitle('')
  const hasNoModel = useWindowState((state) => state.status?.model.state === 'unset')
  const isDemo = useWindowState((state) => state.status?.model.default_model === demoModel)
  const agents = useWindowState((state) => state.agents)
  const [agent, setAgent] = useState(() => readChoice(newAgentPlace))
  useEffect(() => {
    // Chosen with /agent, here or in a conversation.
    const choose = () => setAgent(readChoice(newAgentPlace))
    addEventListener('tandem:new-agent', choose)
    return () => {
      removeEventListener('tandem:new-agent', choose)
      keepChoice(newAgentPlace, '')
    }
  }, [])
  const recent = useRecentFolders()
  const [chosen, setChosen] = useState(() => readChoice(newFolderPlace))
  /** A message that waits until its folder is confirmed. */
  const [waiting, setWaiting] = useState<OutgoingMessage | null>(null)
  const isNew = chosen === '' && recent?.default.state === 'new'
  const folder = chosen === '' ? (recent?.default.path ?? '') : chosen
  const [filled, setFilled] = useState(0)
  const form = useForm({ doing: words.doing.start, general: 'notice' })
  const writing = useRef<HTMLDivElement>(null)
  useFocusOnProblem(form, writing)
  const first = useMemo(() => openFirstConversation(client.channel), [client])
  const choices = [...(agents?.values() ?? [])].filter((one) => !one.agent.archived)
  const choose = async (path: string) => {
    keepChoice(newFolderPlace, path)
    setChosen(path)
    setWaiting(null)
    return null
  }
  const confirm = async () => {
    const answer = await client.call(words.doing.create, 'workspace_make_folder', { workspace: folder })
    if (!answer.ok || !waiting) return
    await choose(answer.value.workspace)
    await send(waiting, answer.value.workspace)
  }
  const send = async (sending: OutgoingMessage, confirmed?: string) => {
    if (isNew && confirmed === undefined) {
      setWaiting(sending)
      return false
    }
    const params = { agent_id: agent, workspace: confirmed ?? folder }
    const created = await first.create(params, titleOf(sending.text))
    if (!created.ok) {
      client.showError(words.doing.create, created.error)
      return false
    }
    client.succeeded(words.doing.create)
    const { conversation, isReused } = created.value
    const { conversation_id } = conversation
    client.addConversation(conversation)
    const refused = await start(conversation_id, sending, isReused)
    if (refused) {
      await first.failed(refused)
      await client.refreshLists()
      return false
    }
    // What was written while it was sent belongs to the conversation.
    moveDraft(place, conversation_id, sending)
    keepOptions(place, {})
    keepChoice(newFolderPlace, '')
    goToComposer(`/c/${conversation_id}`)
    await client.refreshLists()
    return true
  }
  const start = async (conversation_id: string, sending: OutgoingMessage, isReused: boolean) => {
    if (isReused || sending.model || sending.sandbox_mode) {
      const options = { model: sending.model ?? null, sandbox_mode: sending.sandbox_mode ?? null }
      const set = await form.send(() => client.channel.call('conversation_set_run_options', { conversation_id, ...options }))
      if (!set.ok) return set.error
      client.addConversation(set.value.conversation)
    }
    // Opened before the run starts, so that no text is missed.
    client.clock.after(5_000, client.openThread(conversation_id))
    const answer = await form.send(() => client.channel.call('agent_run_start', { conversation_id, ...sending }))
    return answer.ok ? null : answer.error
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
      {isDemo && (
        <p className="text-soft text-sm">
          {words.welcome.demo}{' '}
          <a href="/settings" onClick={followLink} className="underline underline-offset-4">
            {words.welcome.addModel}
          </a>
        </p>
      )}
      <Tour />
      <FormContext value={form}>
        <div ref={writing}>
          <Composer
            key={filled}
            place={place}
            agent_id={agent || defaultAgent(choices)}
            running={null}
            hint={null}
            folder={isNew ? '' : folder}
            send={send}
            autoFocus
          />
          <p className="mt-1.5 flex">
            <FolderButton
              value={folder}
              text={shortPath(folder, recent?.home ?? null)}
              {...(isNew ? { note: folderWords.isNew } : {})}
              onChoose={choose}
            />
          </p>
          {waiting && (
            <div role="alert" className="mt-2 rounded-md border border-line bg-warn-soft px-3 py-2.5">
              <p className="mb-2 break-words">{folderWords.confirm(visibleText(shortPath(folder, recent?.home ?? null)))}</p>
              <PrimaryButton autoFocus onClick={confirm}>
                {folderWords.createAndSend}
              </PrimaryButton>
            </div>
          )}
        </div>
      </FormContext>
      {choices.length > 1 && (
        <label className="flex min-w-0 items-center gap-2 text-faint text-sm">
          {words.composer.agent}
          <select
            value={agent || (defaultAgent(choices) ?? '')}
            onChange={(event) => setAgent(event.target.value)}
            className="field min-w-0 max-w-72 py-1"
          >
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
