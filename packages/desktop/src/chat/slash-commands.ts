// The commands of the composer, by name. They have the names of those of the terminal session. Every other word after a slash is a skill.

interface SlashCommand {
  readonly name: string
  /** Shown in the list; empty if it takes none. */
  readonly argument: string
  /** Whether it can be used while a run is open. */
  readonly duringRun: boolean
  /** Whether it needs a conversation. */
  readonly inConversation: boolean
}

export const slashCommands = [
  { name: 'help', argument: '', duringRun: true, inConversation: false },
  { name: 'new', argument: '', duringRun: true, inConversation: false },
  { name: 'agent', argument: '[NAME]', duringRun: true, inConversation: false },
  {
    name: 'model',
    argument: '[NAME | default]',
    duringRun: true,
    inConversation: false,
  },
  { name: 'skill', argument: '[NAME]', duringRun: false, inConversation: false },
  { name: 'todos', argument: '', duringRun: true, inConversation: false },
  { name: 'compact', argument: '', duringRun: false, inConversation: true },
  {
    name: 'undo',
    argument: '',
    duringRun: false,
    inConversation: true,
  },
  { name: 'branch', argument: '', duringRun: true, inConversation: true },
  { name: 'continue', argument: '', duringRun: true, inConversation: true },
  { name: 'export', argument: '[markdown | json]', duringRun: true, inConversation: true },
] as const satisfies readonly SlashCommand[]

export type SlashCommandName = (typeof slashCommands)[number]['name']

export interface TypedCommand {
  readonly name: SlashCommandName
  readonly argument: string
}

/** The command that a text is; null for a message. */
export function parseSlashCommand(text: string): TypedCommand | null {
  const [, word, rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  const command = slashCommands.find(({ name }) => name === word)
  return command ? { name: command.name, argument: rest.trim() } : null
}

/** Whether text follows a command that takes none: it may be a message. */
export function hasExtraText({ name, argument }: TypedCommand): boolean {
  return argument !== '' && slashCommands.some((one) => one.name === name && one.argument === '')
}

/** The word after a slash at the beginning; null for a path or an ordinary message. */
export function slashWord(text: string): string | null {
  return /^\s*\/([A-Za-z][\w-]*)(?:\s|$)/.exec(text)?.[1] ?? null
}

/** The argument that is being typed, of a command that takes one. */
export function argumentAt(text: string, caret: number): { readonly name: SlashCommandName; readonly typed: string } | null {
  const [, word, typed] = /^\/([a-z]+) ([^\n]*)$/.exec(text.slice(0, caret)) ?? []
  const command = slashCommands.find(({ name, argument }) => name === word && argument !== '')
  return command && typed !== undefined && caret === text.length ? { name: command.name, typed } : null
}

export interface SlashPlace {
  readonly isRunning: boolean
  readonly hasConversation: boolean
}

/** Those that can be used here and match what was typed: those whose name begins with it come first. */
export function matchingCommands(typed: string, { isRunning, hasConversation }: SlashPlace): readonly (typeof slashCommands)[number][] {
  const usable = slashCommands.filter((one) => (one.duringRun || !isRunning) && (!one.inConversation || hasConversation))
  const begins = usable.filter(({ name }) => name.startsWith(typed))
  return [...begins, ...usable.filter((one) => !begins.includes(one) && one.name.includes(typed))]
}
