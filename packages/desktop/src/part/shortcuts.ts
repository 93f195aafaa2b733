// The keyboard shortcuts: one table for the handlers and for the list that `?` and the settings open.
import { createStore, useStore } from '../store/store.ts'
import type { ShortcutName } from '../strings/shortcuts.ts'

interface Shortcut {
  /** As in `KeyboardEvent.key`, in lower case for letters. */
  readonly key: string
  /** With Ctrl, or ⌘ on a Mac. */
  readonly command?: true
  readonly shift?: true
  /** The same key where a keyboard has it without Shift. */
  readonly unshifted?: string
  readonly group: ShortcutGroup
}

export const shortcutGroups = ['anywhere', 'composer', 'thread', 'approval', 'changes', 'list', 'editor', 'graph'] as const
export type ShortcutGroup = (typeof shortcutGroups)[number]

export const shortcuts = {
  palette: { key: 'k', command: true, group: 'anywhere' },
  composer: { key: 'l', command: true, group: 'anywhere' },
  pending: { key: '.', command: true, group: 'anywhere' },
  sidebar: { key: 'b', command: true, group: 'anywhere' },
  settings: { key: ',', command: true, group: 'anywhere' },
  help: { key: '?', group: 'anywhere' },
  send: { key: 'Enter', group: 'composer' },
  line: { key: 'Enter', shift: true, group: 'composer' },
  stop: { key: 'Escape', group: 'composer' },
  history: { key: 'ArrowUp', group: 'composer' },
  mention: { key: '@', group: 'composer' },
  command: { key: '/', group: 'composer' },
  find: { key: 'f', command: true, group: 'thread' },
  next: { key: 'j', group: 'thread' },
  previous: { key: 'k', group: 'thread' },
  back: { key: 'Escape', group: 'thread' },
  print: { key: 'p', command: true, group: 'thread' },
  once: { key: 'y', group: 'approval' },
  this_run: { key: 'r', group: 'approval' },
  this_team: { key: 't', group: 'approval' },
  always: { key: 'a', group: 'approval' },
  no: { key: 'n', group: 'approval' },
  editCall: { key: 'e', group: 'approval' },
  saveComment: { key: 'Enter', command: true, group: 'changes' },
  select: { key: ' ', group: 'list' },
  delete: { key: 'Delete', group: 'list' },
  saveText: { key: 's', command: true, group: 'editor' },
  zoomIn: { key: '+', unshifted: '=', group: 'graph' },
  zoomOut: { key: '-', group: 'graph' },
  fit: { key: '0', group: 'graph' },
} as const satisfies Record<ShortcutName, Shortcut>

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, name: ShortcutName): boolean {
  const wanted: Shortcut = shortcuts[name]
  // A character that needs Shift on some keyboards is the same key on all of them.
  const isCharacter = wanted.key.length === 1 && !/[a-z]/.test(wanted.key)
  const isSame = [wanted.key, wanted.unshifted].includes(key.length === 1 ? key.toLowerCase() : key)
  return isSame && !altKey && (ctrlKey || metaKey) === (wanted.command ?? false) && (isCharacter || shiftKey === (wanted.shift ?? false))
}

const store = createStore<'closed' | 'open'>('closed')

export function openShortcuts(): void {
  store.change(() => 'open')
}

export function closeShortcuts(): void {
  store.change(() => 'closed')
}

export function useShortcutsDialog(): 'closed' | 'open' {
  return useStore(store, (state) => state)
}
