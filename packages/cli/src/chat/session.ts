// A session: one conversation at a time, its runs, and the messages that wait for their turn.
import type { CommandError, Conversation, LocalRun } from '@tandem/contract/command'
import { withRunOptions } from '@tandem/contract/event'
import { costText, totalCost } from '@tandem/contract/model'
import { isTerminalRunState, type Usage } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import { isAsking } from '../run/asking.ts'
import { uploadAttachments } from '../run/attachments.ts'
import { createConversation, type NextOptions, nothingChosen } from '../run/conversation.ts'
import { followRun } from '../run/follow-run.ts'
import { lastSeq } from '../run/last-seq.ts'
import { pauseTexts } from '../run/pause-text.ts'
import { policyNote } from '../run/policy-note.ts'
import { requestAnswer } from '../run/request-answer.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { stripControls } from '../terminal/terminal-text.ts'
import { chatPrinter } from './chat-printer.ts'
import { chatResponder } from './chat-responder.ts'
import { picturesIn } from './pictures.ts'
import { queuedMessages } from './queued-messages.ts'
import type { ChatScreen } from './screen.ts'
import { painted } from './theme.ts'
import { runWithUnsent, takeUnsent } from './unsent-messages.ts'
import { noUsage, sumOf } from './usage.ts'

export interface SessionOptions {
  readonly client: RuntimeClient
  readonly screen: ChatScreen
  readonly workspace: string
  readonly agent_id: string | undefined
  /** For the first conversation only. */
  readonly chosen: NextOptions
  /** For every new conversation for which nothing else was chosen. One that continues has its own. */
  readonly defaults: NextOptions
}

interface RunOptions {
  readonly model?: string | null
  readonly sandbox_mode?: SandboxMode | null
}

export interface ChatSession {
  /** What the next messages use and the conversation does not have. */
  readonly next: NextOptions & { agent_id: string | undefined }
  /** Chooses the model or the sandbox mode of the conversation; null for the default. It stays when the conversation is opened again. */
  choose(options: RunOptions): Promise<void>
  readonly conversation: Conversation | null
  readonly run: LocalRun | null
  readonly usage: Usage
  /** Of the conversation, as far as prices are known. */
  readonly cost: string
  isBusy(): boolean
  /** Sends it, or queues it while the agent works. */
  send(text: string): void
  /** Interrupts the agent so that it gets what is queued now. */
  sendNow(): void
  takeBack(): string | null
  /** Stops the run. False if nothing runs. */
  interrupt(): boolean
  /** Continues a paused run. */
  resume(): void
  /** `chosen`: for its next messages, instead of what it has. */
  open(conversation: Conversation | null, chosen?: NextOptions): Promise<void>
  /** For what needs one before the first message, such as the files of its folder. */
  ensureConversation(): Promise<CommandAnswer<Conversation>>
  /** Pauses a run that ends with this terminal, and archives a conversation in which nothing was said. */
  leave(): Promise<void>
  reportProblem(error: { readonly message: string; readonly remedy: string }): void
}

export function openSession(
  { client, screen, workspace, agent_id, chosen, defaults }: SessionOptions,
  /** Null: what it does is unchanged. */
  onChange: (activity: string | null) => void,
): ChatSession {
  const { transcript } = screen
  const next = { agent_id, model: chosen.model ?? defaults.model, sandbox_mode: chosen.sandbox_mode ?? defaults.sandbox_mode }
  let conversation: Conversation | null = null
  let creating: Promise<CommandAnswer<Conversation>> | null = null
  let isEmpty = true
  let run: LocalRun | null = null
  let usage = noUsage
  let cost = ''
  const queue = queuedMessages((changed) => screen.setQueue(changed))
  let busy: Promise<void> | null = null
  let stopping: AbortController | null = null
  let isSendingNow = false
  let isLeaving = false

  // A window or another terminal may choose something else for the same conversation.
  const watching = client.watch(({ event }) => {
    const note = policyNote(event, conversation?.agent_id)
    if (note !== null) transcript.note(painted('dim', note))
    if (event.event !== 'conversation_options_changed' || event.conversation_id !== conversation?.conversation_id) return
    conversation = withRunOptions(conversation, event.data)
    onChange(null)
  })
  // Without it, the choice is shown with the next message.
  watching.catch(() => undefined)

  function reportProblem({ message, remedy }: { readonly message: string; readonly remedy: string }): void {
    transcript.note(`${painted('red', `✗ ${stripControls(message)}`)}\n  ${stripControls(remedy)}`)
  }

  async function ensureConversation(text = ''): Promise<CommandAnswer<Conversation>> {
    if (conversation) return { ok: true, value: conversation }
    creating ??= create(text).finally(() => {
      creating = null
    })
    return await creating
  }

  async function create(text: string): Promise<CommandAnswer<Conversation>> {
    const made = await createConversation(client, { workspace, text, ...next })
    if (made.ok) {
      conversation = made.value
      // Stored with it: nothing of it reaches another conversation.
      Object.assign(next, nothingChosen)
    }
    return made
  }

  /** Everything that changes the run goes one after the other. */
  function work(doing: () => Promise<void>): void {
    if (busy) return
    busy = doing()
      .catch((error: unknown) => reportProblem({ message: String(error), remedy: 'Try again.' }))
      .finally(() => {
        busy = null
        onChange('')
        sendWaiting()
      })
  }

  /** What waits when nothing works any more starts the next run. */
  function sendWaiting(): void {
    if (busy || isLeaving || isAsking(run)) return
    const waiting = queue.takeAll()
    if (waiting !== null) send(waiting)
  }

  /** What was typed and could not be sent is not lost. */
  function keep(text: string): void {
    if (screen.editor.getText() === '') screen.setText(text)
    else screen.setText(`${text}\n\n${screen.editor.getText()}`)
  }

  function pictures(text: string) {
    return picturesIn(text, conversation?.workspace || workspace)
  }

  async function begin(text: string): Promise<void> {
    onChange('Starting…')
    if (run && !isTerminalRunState(run.state)) return await continueRun(run, text)
    const at = await ensureConversation(text)
    if (!at.ok) return notSent(text, at.error)
    const { files, complaints } = pictures(text)
    const attached = await uploadAttachments(client, files)
    if (!attached.ok) return notSent(text, attached.error)
    transcript.said(
      text,
      attached.value.map(({ name }) => name),
    )
    for (const complaint of complaints) transcript.note(painted('yellow', complaint))
    const started = await client.call('agent_run_start', {
      conversation_id: at.value.conversation_id,
      text,
      ...(next.model === undefined ? {} : { model: next.model }),
      ...(next.sandbox_mode ? { sandbox_mode: next.sandbox_mode } : {}),
      ...(at.value.workspace === '' ? { workspace } : {}),
      ...(attached.value.length > 0 ? { attachments: attached.value } : {}),
    })
    if (!started.ok) return notSent(text, started.error)
    isEmpty = false
    run = started.value.run
    await follow(run, -1)
  }

  function notSent(text: string, error: CommandError): void {
    reportProblem(error)
    keep(text)
  }

  /** A run that has not ended gets the message at its next turn. */
  async function continueRun(open: LocalRun, text: string | null): Promise<void> {
    const { run_id } = open
    const after = await lastSeq(client, run_id)
    if (isAsking(open)) {
      // A message would look like an answer: it is sent after it.
      if (text !== null) queue.add(text)
      return await answerPending(open, after)
    }
    if (text !== null) {
      const written = await client.call('agent_run_add_message', { run_id, text })
      if (!written.ok) return notSent(text, written.error)
      transcript.said(text)
      if (pictures(text).files.length > 0)
        transcript.note(
          painted('yellow', 'The picture was not attached: a run that continues takes only text. Send it again when the run is done.'),
        )
    }
    const resumed = await client.call('resume_agent_run', { run_id })
    if (!resumed.ok && resumed.error.code !== 'run_busy') return reportProblem(resumed.error)
    await follow(open, after)
  }

  /** Without an answer, the last one stays. */
  async function readCost(): Promise<void> {
    const conversation_id = conversation?.conversation_id
    if (conversation_id === undefined) return
    const report = await client.call('usage_get', { conversation_id })
    if (!report.ok || conversation?.conversation_id !== conversation_id) return
    cost = costText(totalCost(report.value.rows))
    onChange(null)
  }

  /** The run waits for the user. */
  async function answerPending(open: LocalRun, after: number): Promise<void> {
    const { run_id } = open
    const answer = await requestAnswer(client, run_id, responder())
    if (answer === 'elsewhere') return await follow(open, after)
    if (answer === null) return paused(open)
    const resumed = await client.call('agent_run_resume', { run_id, answer })
    if (!resumed.ok) return reportProblem(resumed.error)
    await follow(open, after)
  }

  function responder() {
    return chatResponder(screen, () => onChange('Waiting for your answer'))
  }

  async function follow(open: LocalRun, after_seq: number): Promise<void> {
    stopping = new AbortController()
    const before = usage
    const printer = chatPrinter(transcript, {
      onActivity: onChange,
      onTodos: (todos) => screen.setTodos(todos),
      onUsage(of) {
        usage = sumOf(usage, of)
        onChange('')
        void readCost()
      },
      onTurn: () => void sendQueued(open.run_id),
    })
    const person = responder()
    onChange('Working…')
    const from = after_seq < 0 ? { after_seq, after_event: 0 } : { after_seq }
    const quiet = new AbortController()
    await followRun({
      client,
      run: open,
      printer,
      person,
      from,
      before: [],
      canceled: stopping.signal,
      left: quiet.signal,
      onPaused: paused,
    })
    stopping = null
    const now = await client.call('agent_run_get', { run_id: open.run_id })
    run = now.ok ? now.value.run : null
    if (now.ok) usage = sumOf(before, now.value.run.usage)
    await readCost()
    screen.setTodos([])
    if (run && !isLeaving) await continueUnsent(run)
    // Also if the run ended just before it could be interrupted: then the messages start the next one.
    const wasSendingNow = isSendingNow
    isSendingNow = false
    if (wasSendingNow && run?.state === 'paused') await continueRun(run, queue.takeAll())
  }

  /** What the run was sent and did not receive: after a failure the next run has it, after a stop it returns to the composer. */
  async function continueUnsent({ run_id, state }: LocalRun): Promise<void> {
    if (state === 'canceled') {
      const texts = [...(await takeUnsent(client, run_id)), screen.editor.getText()].filter((text) => text !== '')
      if (texts.length > 0) screen.setText(texts.join('\n\n'))
    }
    if (state !== 'failed') return
    const next = await runWithUnsent(client, run_id)
    if (!next) return
    run = next
    await follow(next, -1)
  }

  function paused({ pause_reason, retry_at }: LocalRun): void {
    if (isSendingNow || isLeaving) return
    const again = retry_at === null ? '' : ' It is retried automatically.'
    transcript.note(
      painted('yellow', `Paused: ${pauseTexts[pause_reason ?? 'user']}.${again} Write a message or type /continue to continue.`),
    )
  }

  /** At a turn. If the run has just ended instead, the messages start the next one. */
  async function sendQueued(run_id: string): Promise<void> {
    // Only the start of a run takes pictures: such messages wait for the next one.
    if (isSendingNow || queue.some((text) => pictures(text).files.length > 0)) return
    await queue.deliver(async (text, key) => {
      const written = await client.call('agent_run_add_message', { run_id, text, key })
      if (written.ok) transcript.said(text)
      return written.ok
    })
    // The run may have ended meanwhile.
    sendWaiting()
  }

  function send(text: string): void {
    if (busy) queue.add(text)
    else work(() => begin(text))
  }

  return {
    next,
    async choose(options) {
      const { model, sandbox_mode } = options
      await creating
      if (conversation) {
        const { conversation_id } = conversation
        const stored = await client.call('conversation_set_run_options', { conversation_id, ...options })
        if (!stored.ok) return reportProblem(stored.error)
        // Another one was opened meanwhile.
        if (conversation?.conversation_id !== conversation_id) return
        conversation = stored.value.conversation
      }
      // The conversation has it; without one, its first message will set it.
      if (model !== undefined) next.model = conversation ? undefined : (model ?? undefined)
      if (sandbox_mode !== undefined) next.sandbox_mode = conversation ? undefined : (sandbox_mode ?? undefined)
    },
    get conversation() {
      return conversation
    },
    get run() {
      return run
    },
    get usage() {
      return usage
    },
    get cost() {
      return cost
    },
    isBusy: () => busy !== null,
    send,
    sendNow() {
      if (!run || !stopping || queue.isEmpty()) return
      isSendingNow = true
      onChange('Interrupting…')
      void client.call('agent_run_pause', { run_id: run.run_id }).then((answer) => {
        if (!answer.ok) isSendingNow = false
      })
    },
    takeBack: () => queue.takeBack(),
    interrupt() {
      if (!run || !stopping || stopping.signal.aborted) return false
      stopping.abort()
      screen.dialog.close()
      const waiting = queue.takeAll()
      if (waiting !== null) keep(waiting)
      onChange('Stopping…')
      void client.call('agent_run_cancel', { run_id: run.run_id, reason: 'canceled at the terminal' })
      return true
    },
    resume() {
      const open = run
      if (!open || isTerminalRunState(open.state)) transcript.note(painted('dim', 'No run is paused in this conversation.'))
      else work(() => continueRun(open, null))
    },
    async open(opened, options = opened ? nothingChosen : defaults) {
      await creating
      await forgetEmpty()
      conversation = opened
      Object.assign(next, options)
      isEmpty = opened === null
      run = null
      usage = noUsage
      cost = ''
      if (!opened) return
      await readCost()
      const runs = await client.call('agent_run_list', { conversation_id: opened.conversation_id, limit: 1 })
      const [newest] = runs.ok ? runs.value.items : []
      run = newest ?? null
      if (newest && newest.state === 'running') work(() => follow(newest, -1))
      else if (newest && isAsking(newest)) work(() => continueRun(newest, null))
      else if (newest && newest.state === 'paused') paused(newest)
    },
    ensureConversation: () => ensureConversation(),
    async leave() {
      isLeaving = true
      screen.dialog.close()
      // With another runtime, the run continues without this terminal.
      if (run && stopping && client.kind === 'own') await client.call('agent_run_pause', { run_id: run.run_id })
      await forgetEmpty()
    },
    reportProblem,
  }

  async function forgetEmpty(): Promise<void> {
    if (conversation && isEmpty && run === null)
      await client.call('conversation_hide', { conversation_id: conversation.conversation_id, hidden: true })
  }
}
