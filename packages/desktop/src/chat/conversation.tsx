// One conversation: its thread, what needs an answer, and the composer.
import type { LocalRun } from '@tandem/contract/command'
import { isTerminalRunState, type PauseReason } from '@tandem/contract/run'
import { useEffect, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { PendingRequests } from '../dock/pending-requests.tsx'
import { CorrectionDialog } from '../memory/correction/correction-dialog.tsx'
import { UsedMemoriesDialog } from '../memory/correction/used-memories-dialog.tsx'
import { useFocusOnProblem } from '../part/form/form.tsx'
import { FormContext, useForm } from '../part/form/use-form.ts'
import { useTitle } from '../part/use-title.ts'
import { segmentsOf } from '../store/branches.ts'
import { isOnOtherDevice, openRunIn } from '../store/open-run.ts'
import { queueWords } from '../strings/branching.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Announcer } from './announcer.tsx'
import { BranchDialog } from './branch-dialog.tsx'
import { Composer, type OutgoingMessage } from './composer.tsx'
import { FolderField } from './folder-field.tsx'
import { FolderServersNotice } from './folder-servers-notice.tsx'
import { TeamHeading } from './team-heading.tsx'
import { ThreadView } from './thread-view.tsx'

export function ConversationPage({ conversation_id }: { conversation_id: string }) {
  const client = useRuntimeClient()
  const conversation = useWindowState((state) => state.conversations?.get(conversation_id))
  const isRead = useWindowState((state) => state.conversations !== null)
  const open = useWindowState((state) => openRunIn(state, conversation_id))
  const told = useWindowState(({ journals }) => (open ? journals.get(open.run_id)?.state : undefined))
  const isAway = useWindowState((state) => isOnOtherDevice(state, open))
  const isBusy = open !== null && !(told && isTerminalRunState(told))
  const [folder, setFolder] = useState({ conversation_id, path: '' })
  const path = folder.conversation_id === conversation_id ? folder.path : ''
  const form = useForm({ doing: words.doing.start, general: 'notice' })
  const below = useRef<HTMLDivElement>(null)
  useFocusOnProblem(form, below)
  const isFolderWrong = form.problem?.fields?.some(({ field }) => field === 'workspace') ?? false
  const wantsFolder = (conversation?.workspace === '' || isFolderWrong) && !isBusy
  useTitle(visibleText(conversation?.title ?? ''))
  const segments = useWindowState((state) =>
    segmentsOf(state.conversations, conversation_id)
      .map((one) => one.conversation_id)
      .join(' '),
  )
  useEffect(() => {
    // A branch shows what it continues from.
    const opened = segments.split(' ').map((id) => client.openThread(id))
    return () => {
      for (const close of opened) close()
    }
  }, [client, segments])
  if (isRead && !conversation) return <Gone />
  const send = async (sending: OutgoingMessage) => {
    const place = wantsFolder && path.trim() !== '' ? { workspace: path.trim() } : {}
    const answer = await form.send(() => client.channel.call('agent_run_start', { conversation_id, ...place, ...sending }))
    if (answer.ok) await client.refreshLists()
    return answer.ok
  }
  const add = async ({ conversation_id: at, run_id }: LocalRun, { text, attachments, key }: OutgoingMessage) => {
    const params = { run_id, text, key, ...(attachments ? { attachments } : {}) }
    const answer = await form.send(() => client.channel.call('agent_run_add_message', params))
    if (answer.ok) await Promise.all([client.readQueue({ run_id, conversation_id: at }), client.refreshLists()])
    return answer.ok
  }
  const running = isBusy && !isAway ? open : null
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="shrink-0 truncate border-line border-b px-4 py-2.5 font-medium text-sm sm:px-6">
        {visibleText(conversation?.title ?? '')}
        <span className="ml-3 font-normal text-faint">{visibleText(conversation?.workspace ?? '')}</span>
      </h1>
      <TeamHeading key={`team:${conversation_id}`} conversation_id={conversation_id} />
      <ThreadView key={conversation_id} conversation_id={conversation_id} />
      <div className="dock-frame shrink-0 px-3 sm:px-6">
        <PendingRequests conversation_id={conversation_id} />
      </div>
      <div ref={below} className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-5">
        {conversation && conversation.workspace !== '' && <FolderServersNotice workspace={conversation.workspace} />}
        <FormContext value={form}>
          {wantsFolder && <FolderField value={path} onChange={(next) => setFolder({ conversation_id, path: next })} />}
          <Composer
            key={conversation_id}
            place={conversation_id}
            conversation_id={conversation_id}
            agent_id={conversation?.agent_id ?? null}
            running={running?.run_id ?? null}
            held={isBusy && isAway ? open.device_id : null}
            hint={running && hintOf(running)}
            send={send}
            placeholder={running ? placeholderOf(running) : undefined}
            {...(running ? { add: (sending: OutgoingMessage) => add(running, sending) } : {})}
          />
        </FormContext>
      </div>
      <BranchDialog key={`branch:${conversation_id}`} conversation_id={conversation_id} />
      <CorrectionDialog conversation_id={conversation_id} />
      <UsedMemoriesDialog conversation_id={conversation_id} />
      <Announcer key={`said:${conversation_id}`} conversation_id={conversation_id} />
    </div>
  )
}

/** What ends by itself: the run gets the message before that. */
const waits: readonly (PauseReason | null)[] = ['child', 'workflow', 'time']

function placeholderOf({ state, pause_reason }: LocalRun): string {
  const continues = state === 'paused' && !waits.includes(pause_reason) && pause_reason !== 'approval' && pause_reason !== 'question'
  return continues ? queueWords.continues : queueWords.placeholder
}

function hintOf({ state, pause_reason }: LocalRun): string {
  if (pause_reason === 'budget') return words.cards.pause.budget
  if (waits.includes(pause_reason)) return teamWords.queue.hint
  if (pause_reason === 'approval' || pause_reason === 'question') return words.composer.waiting
  return state === 'paused' ? words.composer.paused : words.composer.busy
}

function Gone() {
  return (
    <div className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="mb-2 font-semibold text-xl">{words.conversations.gone}</h1>
      <p className="text-soft">{words.conversations.goneRemedy}</p>
    </div>
  )
}
