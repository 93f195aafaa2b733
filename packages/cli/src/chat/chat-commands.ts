// What each slash command does.
import type { Conversation } from '@tandem/contract/command'
import { searchModels } from '@tandem/contract/model'
import { sandboxModes } from '@tandem/contract/tool'
import { everyAgent, findAgent } from '../command/agents.ts'
import { factsOf } from '../command/models.ts'
import { listConversations, type NextOptions } from '../run/conversation.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { showPast } from './past-messages.ts'
import type { ChatScreen } from './screen.ts'
import type { ChatSession } from './session.ts'
import { type SlashCommandName, slashCommands, type TypedCommand } from './slash-commands.ts'
import { folderText } from './status-line.ts'
import { painted } from './theme.ts'
import { todoLine } from './todo-text.ts'
import { undoLast } from './undo.ts'

export interface CommandPorts {
  readonly client: RuntimeClient
  readonly screen: ChatScreen
  readonly session: ChatSession
  quit(): void
  changed(): void
}

/** A longer list is searched first. */
const shownModels = 30
const mostModels = 200

type Run = (ports: CommandPorts, argument: string) => Promise<void> | void

const keys = [
  ['Enter', 'send; while the agent works: queue for its next turn'],
  ['Ctrl-J, Alt-Enter or \\ Enter', 'new line'],
  ['↑ ↓', 'earlier messages; edit a queued message'],
  ['@', 'mention a file; a picture is attached'],
  ['Tab', 'complete'],
  ['Esc, Ctrl-C', 'stop the agent; Ctrl-C twice: quit'],
] as const

const actions: Readonly<Record<SlashCommandName, Run>> = {
  help({ screen }) {
    const rows = slashCommands.map(({ name, argument, summary }) => [`/${name} ${argument}`.trim(), summary] as const)
    const all = [...rows, ...keys]
    const width = Math.max(...all.map(([left]) => left.length))
    screen.transcript.note(all.map(([left, right]) => `${painted('cyan', left.padEnd(width))}  ${right}`).join('\n'))
  },
  async new({ screen, session }) {
    await session.open(null)
    screen.transcript.note(painted('dim', 'A new conversation. Describe a task.'))
  },
  conversations: chooseConversation,
  agent: chooseAgent,
  async model({ client, screen, session, changed }, name) {
    const chosen = name === '' ? await chooseModel(client, screen) : name
    if (chosen !== null) await session.choose({ model: chosen === 'default' ? null : chosen })
    changed()
    const model = session.next.model ?? session.conversation?.model ?? 'the default of the agent or of this device'
    screen.transcript.note(painted('dim', `Model for the next messages: ${escapeControls(model)}. To change it: /model NAME`))
  },
  async sandbox({ screen, session, changed }, name) {
    const mode = sandboxModes.find((one) => one === name)
    if (name !== '' && !mode) return screen.transcript.note(painted('yellow', `The sandbox must be one of ${sandboxModes.join(', ')}.`))
    if (mode) await session.choose({ sandbox_mode: mode })
    changed()
    const chosen = session.next.sandbox_mode ?? session.conversation?.sandbox_mode ?? 'that of the agent'
    screen.transcript.note(painted('dim', `Sandbox for the next messages: ${chosen}.`))
  },
  async skill({ client, screen, session }) {
    const folder = session.conversation?.workspace
    const listed = await client.call('skill_list', { limit: 200, ...(folder ? { workspace: folder } : {}) })
    if (!listed.ok) return session.reportProblem(listed.error)
    if (listed.value.items.length === 0) return screen.transcript.note(painted('dim', 'There are no skills here yet.'))
    const choices = listed.value.items.map(({ skill }) => ({
      value: skill.name,
      label: escapeControls(skill.name),
      description: singleLine(skill.description, 200),
    }))
    const name = await screen.dialog.choose('Skills', choices)
    if (name !== null) screen.setText(`/${name} `)
  },
  async todos({ client, screen, session }) {
    const conversation_id = session.conversation?.conversation_id
    const listed = conversation_id === undefined ? null : await client.call('todo_list', { conversation_id, limit: 200 })
    if (listed && !listed.ok) return session.reportProblem(listed.error)
    const todos = listed?.value.items ?? []
    screen.transcript.note(todos.length === 0 ? painted('dim', 'There are no todos.') : todos.map(todoLine).join('\n'))
  },
  async compact({ client, screen, session }) {
    const { conversation } = session
    if (!conversation) return screen.transcript.note(painted('dim', 'There is nothing to summarize yet.'))
    const { agent_id, conversation_id } = conversation
    const done = await client.call('memory_compact', { agent_id, conversation_id })
    if (!done.ok) return session.reportProblem(done.error)
    const { tokens_before, tokens_after } = done.value
    screen.transcript.note(painted('dim', `The conversation was summarized: ${tokens_before} → ${tokens_after} tokens.`))
  },
  undo: ({ client, screen, session }) => undoLast(client, screen, session),
  continue: ({ session }) => session.resume(),
  quit: ({ quit }) => quit(),
}

export async function runSlashCommand(ports: CommandPorts, { command, argument }: TypedCommand): Promise<void> {
  const { session, screen } = ports
  if (!command.duringRun && session.isBusy())
    return screen.transcript.note(painted('yellow', `/${command.name} is not possible while the agent works. Stop it first with Ctrl-C.`))
  await actions[command.name](ports, argument)
}

async function chooseConversation({ client, screen, session }: CommandPorts): Promise<void> {
  const listed = await listConversations(client, { limit: 50 })
  if (!listed.ok) return session.reportProblem(listed.error)
  if (listed.value.length === 0) return screen.transcript.note(painted('dim', 'There are no conversations yet.'))
  const chosen = await screen.dialog.choose(
    'Conversations',
    listed.value.map((one) => ({ value: one, label: singleLine(one.title, 60) || '(no title)', description: placeText(one) })),
  )
  if (chosen) await continueConversation(client, screen, session, chosen)
}

/** Null if nothing was chosen. */
async function chooseModel(client: RuntimeClient, screen: ChatScreen): Promise<string | null> {
  const listed = await client.call('model_catalog', {})
  if (!listed.ok || listed.value.models.length === 0) return null
  const { models, problem, seen_at } = listed.value
  const query = models.length <= shownModels ? '' : await screen.dialog.ask(`Search ${models.length} models (empty: all)`)
  if (query === null) return null
  const found = searchModels(models, query, mostModels)
  if (found.length === 0) {
    screen.transcript.note(painted('yellow', `No model matches. To use the name anyway: /model ${escapeControls(query)}`))
    return null
  }
  const title = problem && seen_at !== null ? `Models, from the list of ${utcMinute(seen_at)}: ${problem.message}` : 'Models'
  return await screen.dialog.choose(title, [
    ...found.map((one) => ({ value: one.id, label: escapeControls(one.id), description: singleLine(factsOf(one), 200) })),
    { value: 'default', label: 'default', description: 'The model of the agent or of this device' },
  ])
}

function placeText({ updated_at, workspace }: Conversation): string {
  return `${utcMinute(updated_at)}  ${singleLine(folderText(workspace), 200)}`
}

export async function continueConversation(
  client: RuntimeClient,
  { transcript }: ChatScreen,
  session: ChatSession,
  conversation: Conversation,
  chosen?: NextOptions,
): Promise<void> {
  transcript.clear()
  transcript.note(painted('dim', `Continuing “${singleLine(conversation.title, 100)}”.`))
  await showPast(client, conversation.conversation_id, transcript)
  await session.open(conversation, chosen)
}

async function chooseAgent({ client, screen, session }: CommandPorts, name: string): Promise<void> {
  if (name !== '') {
    const found = await findAgent(client, name)
    return found.ok ? await startWith(found.value) : session.reportProblem(found.error)
  }
  const all = await everyAgent(client)
  if (!all.ok) return session.reportProblem(all.error)
  if (all.value.length === 0) return screen.transcript.note(painted('dim', 'There are no agents yet. The first message creates one.'))
  const choices = all.value.map((one) => ({
    value: one,
    label: escapeControls(one.agent.name),
    description: singleLine(one.agent.description, 200),
  }))
  const chosen = await screen.dialog.choose('Agents', choices)
  if (chosen) await startWith(chosen)

  async function startWith({ agent_id, agent }: (typeof choices)[number]['value']): Promise<void> {
    session.next.agent_id = agent_id
    await session.open(null)
    screen.transcript.note(painted('dim', `A new conversation with ${singleLine(agent.name, 60)}.`))
  }
}
