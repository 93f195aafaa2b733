// Texts of the sidebar, of deleting conversations, of what needs an answer, and of notifications.
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const navigationWords = translated('navigation', {
  places: {
    chat: 'Chat',
    runs: 'Runs',
    agents: 'Agents',
    tools: 'Tools',
    knowing: 'Memory and knowledge',
    workflows: 'Workflows',
    devices: 'Devices and files',
    settings: 'Settings',
  },
  pagesOf: (place: string) => `Pages of ${place}`,

  list: {
    views: { active: 'Active', archived: 'Archived', deleted: 'Deleted' },
    none: { active: 'No conversations yet', archived: 'No archived conversations', deleted: 'No deleted conversations' },
    deletedLead: 'Deleted conversations can be restored for 24 hours on this device. Then they are erased.',
    pinned: 'Pinned',
    pin: 'Pin',
    unpin: 'Unpin',
    delete: 'Delete…',
    deleteSelected: 'Delete…',
    restore: 'Restore',
    select: 'Select',
    selected: (number: number) => `${number.toLocaleString(locale)} selected`,
    selection: 'Selected conversations',
    clear: 'Clear selection',
    isSelected: 'Selected',
    isPinned: 'Pinned',
    older: 'Load older',
    erasedFrom: (when: string) => `Erased after ${when}`,
    doing: {
      pin: 'pin the conversation',
      delete: 'delete',
      restore: 'restore',
      read: 'read the deleted conversations',
      older: 'load older conversations',
    },
  },

  deleting: {
    title: (number: number, name: string) =>
      number === 1 ? `Delete “${name}”?` : `Delete ${count(number, 'conversation', 'conversations')}?`,
    family: (chosen: number, all: number) =>
      `This deletes ${count(all, 'conversation', 'conversations')}: ${chosen === 1 ? 'its' : 'their'} branches and the conversations of team members are deleted, too.`,
    hides: 'It disappears from all your devices at once. You can restore it for 24 hours.',
    hidesMany: 'They disappear from all your devices at once. You can restore them for 24 hours.',
    hidesHere: 'It disappears from this device at once. You can restore it for 24 hours.',
    hidesManyHere: 'They disappear from this device at once. You can restore them for 24 hours.',
    erases: (points: number) =>
      points === 0
        ? 'After that, the messages and their files are erased from this device.'
        : `After that, the messages, their files and ${count(points, 'recovery point', 'recovery points')} are erased from this device. You can’t undo the agent’s file changes any more then.`,
    cloud: 'If you are signed in, the cloud keeps the synchronized messages and steps until you delete your account.',
    memories: (number: number) =>
      `${count(number, 'memory', 'memories')} learned here ${number === 1 ? 'stays' : 'stay'}, without the quotes. You can forget ${number === 1 ? 'it' : 'them'} on the Memory page.`,
    signedOut: (number: number) =>
      `You are signed out. Your other devices keep ${number === 1 ? 'it' : 'them'} unless you sign in here within 24 hours.`,
    copies: (number: number) =>
      `${count(number, 'copy of a folder has', 'copies of folders have')} changes that were not merged, and ${number === 1 ? 'stays' : 'stay'} until you discard ${number === 1 ? 'it' : 'them'}:`,
    copy: (title: string, paths: number | null) =>
      paths === null || paths === 0 ? title : `${title} (${count(paths, 'changed file', 'changed files')})`,
    moreCopies: (number: number) => `and ${number.toLocaleString(locale)} more`,
    openCopies: 'Show the copies',
    running: (number: number) => `${count(number, 'run is', 'runs are')} still working or waiting for you, and will be stopped.`,
    confirm: 'Delete',
    confirmStop: 'Stop and delete',
    looking: 'Looking up what would be deleted…',
    done: (number: number) => (number === 1 ? 'Conversation deleted' : `${count(number, 'conversation', 'conversations')} deleted`),
    undo: 'Undo',
    undone: 'Restored',
  },

  gone: {
    deleted: 'This conversation is deleted',
    restorable: (when: string) => `You can restore it until ${when}. Then it is erased from this device.`,
    erased: 'This conversation was deleted',
    erasedLead: 'It was erased from this device and can’t be restored.',
  },

  pending: {
    title: 'Needs your answer',
    lead: 'Approvals and questions from all conversations. Runs continue when you answer.',
    none: 'Nothing needs your answer.',
    link: 'Needs your answer',
    count: (number: number) => `${count(number, 'request', 'requests')} waiting`,
    inTitle: (number: number) => `(${number.toLocaleString(locale)}) `,
    unknown: 'Another conversation',
    open: 'Open conversation',
    review: 'Review all',
    reviewOf: (all: string) => `Review all: ${all}`,
    waiting: 'Waiting for you:',
    conversations: (number: number) => count(number, 'conversation', 'conversations'),
  },

  notices: {
    kinds: {
      waits: 'Tandem needs your answer',
      completed: 'A run has finished',
      failed: 'A run has failed',
      stopped: 'A run has stopped and needs you',
    },
    unseen: 'New result',
    ask: 'Get a notification when a run needs you or ends while you are elsewhere?',
    allow: 'Turn on notifications',
    later: 'No, thanks',
    setting: 'Notifications',
    settingLabel: 'Notify me when a run needs me or ends while I am not looking',
    settingHint: 'Notifications name the conversation, never the content of files.',
    blocked: 'Your browser blocks notifications of this page. Allow them in its settings first.',
    unavailable: 'This browser has no notifications.',
  },

  settings: { hint: 'Settings' },
} as const)
