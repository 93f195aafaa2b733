// The names of keyboard shortcuts.
import { translated } from '../language/language.ts'
export const shortcutWords = translated('shortcuts', {
  title: 'Keyboard shortcuts',
  commands: 'Commands',
  groups: { anywhere: 'Anywhere', composer: 'Message box', thread: 'Conversation', approval: 'Pending approval' },
  names: {
    palette: 'Search and commands',
    composer: 'Go to the message box',
    pending: 'Go to what needs your approval',
    sidebar: 'Open or close the sidebar on small screens',
    settings: 'Open the settings',
    help: 'Show this list',
    send: 'Send, or queue for the next turn while the agent works',
    line: 'New line',
    stop: 'Press twice to stop the run',
    history: 'Earlier messages, while the box is empty',
    mention: 'Mention a file',
    command: 'Commands and skills',
    find: 'Find in this conversation',
    next: 'Next card',
    previous: 'Previous card',
    back: 'Back to the message box',
    once: 'Allow once',
    this_run: 'Allow for this run',
    this_team: 'Allow for this team',
    always: 'Always allow',
    no: 'Deny',
    editCall: 'Edit before allowing',
  },
  /** As printed on the keys. */
  keys: { Enter: 'Enter', Escape: 'Esc', ArrowUp: '↑', Shift: 'Shift' },
} as const)

export type ShortcutName = keyof typeof shortcutWords.names
