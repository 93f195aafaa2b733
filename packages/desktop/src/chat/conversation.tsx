// One conversation: its thread, what needs an answer, and the composer.

import type { LocalRun } from '@tandem/contract/command'
import { importSourceNames } from '@tandem/contract/import'
import { isTerminalRunState, type PauseReason } from '@tandem/contract/run'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { changesAddress, conversationAddress, followLink } from '../address.ts'
import { sendMessage } from '../client/send-message.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { PendingRequests } from '../dock/pending-requests.tsx'
import { CorrectionDialog } from '../memory/correction/correction-dialog.tsx'
import { UsedMemoriesDialog } from '../memory/correction/used-memories-dialog.tsx'
import { useFocusOnProblem } from '../part/form/form.tsx'
import { FormContext, useForm } from '../part/form/use-form.ts'
import { Icon } from '../part/icon.tsx'
import { useTitle } from '../part/use-title.ts'
import { segmentsOf } from '../store/branches.ts'
import { isOnOtherDevice, openRunIn } from '../store/open-run.ts'
import { queueWords } from '../strings/branching.ts'
import { changeWords } from '../strings/changes.ts'
import { importWords } from '../strings/imports.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Announcer } from './announcer.tsx'
import { BranchDialog } from './branch-dialog.tsx'
import { Composer, type OutgoingMessage } from './composer.tsx'
import { ConversationCost } from './conversation-cost.tsx'
import { ConversationFolder } from './conversation-folder.tsx'
import { FolderField } from './folder-field.tsx'
import { FolderServersNotice } from './folder-servers-notice.tsx'
import { GoneConversation } from './gone-conversation.tsx'
import { TeamHeading } from './team-heading.tsx'
import { ThreadView } from './thread-view.tsx'

const ChangesPanel = lazy(() => import('../changes/changes-panel.tsx'))

interface Props {
  readonly conversation_id: string
  /** Whether its changes are shown beside it, and of which run. */
  readonly changes?: { readonly run_id: string | null }
}

export function ConversationPage({ conversation_id, changes }: Props) {
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
  const changesLink = useRef<HTMLAnchorElement>(null)
  const hadChanges = useRef(false)
  useEffect(() => {
    // The panel took the focus with it.
    if (hadChanges.current && !changes && document.activeElement === document.body) changesLink.current?.focus()
    hadChanges.current = changes !== undefined
  }, [changes])
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
  useEffect(() => {
    // Its branches may be older than what is listed. If it is unknown, what is shown instead reads it.
    if (isRead) void client.readConversation(conversation_id)
  }, [client, conversation_id, isRead])
  if (isRead && !conversation) return <GoneConversation conversation_id={conversation_id} />
  const running = isBusy && !isAway ? open : null
  const send = async ({ model, sandbox_mode, ...message }: OutgoingMessage) => {
    const options = {
      ...(wantsFolder && path.trim() !== '' ? { workspace: path.trim() } : {}),
      ...(model === undefined ? {} : { model }),
      ...(sandbox_mode === undefined ? {} : { sandbox_mode }),
    }
    const device_id = client.store.get().status?.device_id ?? null
    const answer = await form.send(() => sendMessage(client.channel, { conversation_id, open: running, device_id }, message, options))
    if (answer.ok) await Promise.all([client.readQueue(answer.value), client.refreshLists()])
    return answer.ok
  }
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-h-0 min-w-0 grow flex-col">
        <header className="@container flex shrink-0 items-center gap-3 border-line border-b px-4 py-1.5 sm:px-6">
          <h1 title={visibleText(conversation?.title ?? '')} className="min-w-32 shrink truncate py-1 font-medium text-sm">
            {visibleText(conversation?.title ?? '')}
            {conversation?.imported_from && (
              <span className="ml-2 font-normal text-faint">{importWords.from(importSourceNames[conversation.imported_from])}</span>
            )}
          </h1>
          {conversation && conversation.workspace !== '' && <ConversationFolder conversation={conversation} isBusy={isBusy} />}
          <span className="ml-auto @max-xl:hidden shrink-0">
            <ConversationCost conversation_id={conversation_id} />
          </span>
          <a
            ref={changesLink}
            href={changes ? conversationAddress(conversation_id) : changesAddress(conversation_id)}
            onClick={followLink}
            aria-current={changes ? 'page' : undefined}
            title={changeWords.open}
            className="@max-xl:ml-auto flex shrink-0 items-center gap-1.5 rounded-md px-2 py-1 text-soft text-sm hover:bg-sunken hover:text-ink aria-[current]:bg-sunken"
          >
            <Icon name="diff" size={14} />
            <span className="@max-md:sr-only">{changeWords.open}</span>
          </a>
        </header>
        <TeamHeading key={`team:${conversation_id}`} conversation_id={conversation_id} />
        <ThreadView key={conversation_id} conversation_id={conversation_id} />
        <div className="dock-frame flex min-h-0 flex-col px-3 sm:px-6">
          <PendingRequests conversation_id={conversation_id} />
        </div>
        <div ref={below} className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-5">
          {conversation && conversation.workspace !== '' && <FolderServersNotice workspace={conversation.workspace} />}
          <FormContext value={form}>
            {wantsFolder && (
              <FolderField
                key={`folder:${conversation_id}`}
                value={path}
                isImported={conversation?.imported_from !== undefined && conversation.workspace === ''}
                onChange={(next) => setFolder({ conversation_id, path: next })}
              />
            )}
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
            />
          </FormContext>
        </div>
        <BranchDialog key={`branch:${conversation_id}`} conversation_id={conversation_id} />
        <CorrectionDialog conversation_id={conversation_id} />
        <UsedMemoriesDialog conversation_id={conversation_id} />
        <Announcer key={`said:${conversation_id}`} conversation_id={conversation_id} />
      </div>
      {changes && (
        <Suspense fallback={null}>
          <ChangesPanel
            key={`changes:${conversation_id}:${changes.run_id}`}
            conversation_id={conversation_id}
            {...(changes.run_id === null ? {} : { run_id: changes.run_id })}
          />
        </Suspense>
      )}
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
