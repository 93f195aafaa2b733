// The session from its first picture to its end.
import type { Conversation, KeptAgent } from '@tandem/contract/command'
import type { NextOptions } from '../run/conversation.ts'
import { folderNotice } from '../run/folder-notice.ts'
import { homeFolder } from '../runtime-client/home.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { continueConversation, runSlashCommand } from './chat-commands.ts'
import { chatCompletion } from './completion.ts'
import { openHistory } from './history.ts'
import { type ChatScreen, openScreen } from './screen.ts'
import { type ChatSession, openSession } from './session.ts'
import { commandWord, parseSlashCommand } from './slash-commands.ts'
import { folderText } from './status-line.ts'
import { painted } from './theme.ts'

export interface ChatOptions {
  readonly client: RuntimeClient
  readonly workspace: string
  readonly conversation: Conversation | null
  readonly agent_id: string | undefined
  /** For the conversation that this opens. */
  readonly chosen: NextOptions
  /** For every new conversation of the session. */
  readonly defaults: NextOptions
  agents(): Promise<readonly KeptAgent[]>
  /** Sent at once, unless it is empty. */
  readonly first: string
}

/** Two times within this time: the user wants to quit. */
const twice_ms = 3_000

const noModel = [
  'No model is configured. In another terminal, run these, then send your message:',
  '  tandem config set model_base_url URL   (Ollama: http://127.0.0.1:11434/v1)',
  '  tandem config set default_model NAME',
  '  tandem config set model_key            (only if the provider needs one)',
].join('\n')

export async function runChat(options: ChatOptions): Promise<number> {
  const { client, workspace } = options
  const ended = Promise.withResolvers<void>()
  const quit = () => ended.resolve()
  let interruptedAt = Number.NEGATIVE_INFINITY
  const screen: ChatScreen = openScreen({
    onSubmit: submit,
    onEnd: quit,
    onInterrupt: interrupt,
    onTakeBack() {
      const text = session.takeBack()
      if (text !== null) screen.setText(text)
      return text !== null
    },
  })
  const { transcript, editor } = screen
  const facts = await deviceFacts(client)
  const agents = await options.agents()
  let activity = ''
  const session: ChatSession = openSession({ ...options, screen }, (next) => {
    activity = next ?? activity
    showStatus()
  })
  const history = openHistory(homeFolder(), (problem) => transcript.note(painted('yellow', problem)))
  for (const text of history.earlier) editor.addToHistory(text)
  const sources = completionSources(client, session, agents, facts.default_model)
  editor.setAutocompleteProvider(chatCompletion(sources))

  const announced = new Set<string>()
  /** Also when another conversation is opened, in another folder. */
  async function announceServers(folder: string): Promise<void> {
    if (announced.has(folder)) return
    announced.add(folder)
    const notice = await folderNotice(client, folder)
    if (notice !== null) transcript.note(painted('yellow', notice))
  }

  function showStatus(): void {
    const { run, next, conversation, usage, cost } = session
    // What works now, and otherwise what the next message uses.
    const busy = session.isBusy()
    const folder = conversation?.workspace || workspace
    // Only a notice: without the runtime, everything else reports it.
    announceServers(folder).catch(() => undefined)
    const agent = agents.find(({ agent_id }) => agent_id === (conversation?.agent_id ?? next.agent_id))?.agent
    const sandbox =
      (busy ? run?.sandbox_mode : undefined) ?? next.sandbox_mode ?? conversation?.sandbox_mode ?? agent?.sandbox_mode ?? 'workspace'
    screen.setStatus({
      activity: activity || (busy ? 'Working…' : ''),
      model: (busy ? run?.model : undefined) ?? next.model ?? conversation?.model ?? agent?.model ?? facts.default_model ?? 'no model',
      folder,
      sandbox: `sandbox: ${facts.sandbox === 'absent' || facts.sandbox === 'failed' ? 'not available' : sandbox}`,
      ...usage,
      cost,
    })
  }

  function submit(text: string): void {
    if (text === '') {
      if (session.isBusy()) session.sendNow()
      return
    }
    editor.addToHistory(text)
    history.add(text)
    const typed = parseSlashCommand(text)
    const doing = typed ? runSlashCommand({ client, screen, session, quit, changed: showStatus }, typed) : sendMessage(text)
    doing.catch((error: unknown) => session.reportProblem({ message: String(error), remedy: 'Try again.' }))
  }

  /** A mistyped command is not sent to a model. */
  async function sendMessage(text: string): Promise<void> {
    const name = commandWord(text)
    const known = name === null ? [] : await sources.skills()
    if (name === null || known.some((skill) => skill.name === name)) return session.send(text)
    transcript.note(painted('yellow', `There is no command or skill /${name}. /help shows the commands.`))
    if (editor.getText() === '') screen.setText(text)
  }

  function interrupt(key: 'ctrl-c' | 'escape'): void {
    if (session.interrupt()) return
    if (screen.dialog.isOpen) screen.dialog.close()
    else if (key === 'ctrl-c' && editor.getText() !== '') screen.setText('')
    else if (key === 'ctrl-c' && performance.now() - interruptedAt < twice_ms) quit()
    else if (key === 'ctrl-c') {
      interruptedAt = performance.now()
      transcript.note(painted('dim', 'Press Ctrl-C again to quit.'))
    }
  }

  const onSignal = () => interrupt('ctrl-c')
  process.on('SIGINT', onSignal)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)
  screen.start()
  try {
    transcript.note(`${painted('bold', 'Tandem')} in ${singleLine(folderText(workspace), 200)}. /help shows commands and keys.`)
    if (!facts.hasModel) transcript.note(painted('yellow', noModel))
    showStatus()
    if (options.conversation) await continueConversation(client, screen, session, options.conversation, options.chosen)
    if (options.first.trim() !== '') submit(options.first.trim())
    await ended.promise
    await session.leave()
  } finally {
    screen.stop()
    process.off('SIGINT', onSignal)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, quit)
  }
  const id = session.conversation?.conversation_id
  if (id !== undefined && session.run) console.error(`To continue: tandem chat --conversation ${id}`)
  return 0
}

async function deviceFacts(client: RuntimeClient) {
  const status = await client.call('runtime_status', {})
  if (!status.ok) return { default_model: null, sandbox: 'untested' as const, hasModel: true }
  const { model, sandbox } = status.value
  return { default_model: model.default_model, sandbox: sandbox.state, hasModel: model.state === 'set' }
}

function completionSources(client: RuntimeClient, session: ChatSession, agents: readonly KeptAgent[], default_model: string | null) {
  return {
    async files(query: string) {
      const at = await session.ensureConversation()
      if (!at.ok) return []
      const found = await client.call('workspace_list_files', { conversation_id: at.value.conversation_id, query, limit: 20 })
      return found.ok ? found.value.items.map(({ path }) => path) : []
    },
    async skills() {
      const folder = session.conversation?.workspace
      const found = await client.call('skill_list', { limit: 200, ...(folder ? { workspace: folder } : {}) })
      return found.ok ? found.value.items.map(({ skill }) => ({ name: skill.name, description: singleLine(skill.description, 200) })) : []
    },
    async argumentsOf(command: string) {
      if (command === 'agent') return agents.map(({ agent }) => agent.name)
      if (command === 'sandbox') return ['trusted', 'workspace', 'strict']
      if (command !== 'model') return []
      const catalog = await client.call('model_catalog', {})
      const offered = catalog.ok ? catalog.value.models.map(({ id }) => id) : []
      const runs = await client.call('agent_run_list', { limit: 100 })
      const used = runs.ok ? runs.value.items.map(({ model }) => model) : []
      const known = [default_model, ...agents.map(({ agent }) => agent.model), ...used, 'default', ...offered]
      return [...new Set(known.filter((name) => name !== null))]
    },
  }
}
