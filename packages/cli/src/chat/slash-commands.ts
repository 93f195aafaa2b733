// The commands of the session, by name. Every other word after a slash is part of the message: a skill starts with /name.

export interface SlashCommand {
  readonly name: string
  /** Shown in the menu; empty if it takes none. */
  readonly argument: string
  readonly summary: string
  /** Whether it can be used while the agent works. */
  readonly duringRun: boolean
}

export const slashCommands = [
  { name: 'help', argument: '', summary: 'Show commands and keys', duringRun: true },
  { name: 'new', argument: '', summary: 'Start a new conversation', duringRun: false },
  { name: 'conversations', argument: '', summary: 'Continue another conversation', duringRun: false },
  { name: 'agent', argument: '[NAME]', summary: 'Start a new conversation with another agent', duringRun: false },
  { name: 'model', argument: '[NAME | default]', summary: 'Choose the model for the next messages', duringRun: true },
  { name: 'sandbox', argument: '[MODE]', summary: 'Show or change the sandbox for the next messages', duringRun: true },
  { name: 'skill', argument: '', summary: 'Choose a skill for the next message', duringRun: true },
  { name: 'todos', argument: '', summary: 'Show the todos of this conversation', duringRun: true },
  { name: 'compact', argument: '', summary: 'Summarize the conversation to free up context', duringRun: false },
  { name: 'undo', argument: '', summary: 'Undo the last changes of files, after a preview', duringRun: false },
  { name: 'continue', argument: '', summary: 'Continue a paused run', duringRun: false },
  { name: 'quit', argument: '', summary: 'Leave; the conversation is kept', duringRun: true },
] as const satisfies readonly SlashCommand[]

export type SlashCommandName = (typeof slashCommands)[number]['name']

export interface TypedCommand {
  readonly command: (typeof slashCommands)[number]
  readonly argument: string
}

const otherNames: Readonly<Record<string, SlashCommandName>> = {
  exit: 'quit',
  q: 'quit',
  '?': 'help',
  resume: 'conversations',
  clear: 'new',
}

/** Null if it is a message. */
export function parseSlashCommand(text: string): TypedCommand | null {
  const [, word, rest = ''] = /^\/([a-z?]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (word === undefined) return null
  const name = Object.hasOwn(otherNames, word) ? otherNames[word] : word
  const command = slashCommands.find((one) => one.name === name)
  return command ? { command, argument: rest.trim() } : null
}

/** The name after a slash at the beginning; null for a path or an ordinary message. */
export function commandWord(text: string): string | null {
  return /^\/([A-Za-z][\w-]*)(?:\s|$)/.exec(text)?.[1] ?? null
}
