// Texts about the folders that conversations work in.
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const folderWords = translated('folders', {
  folder: 'Folder',
  choose: 'Choose a folder',
  change: 'Change folder',
  browse: 'Browse…',
  title: 'Choose a folder',
  lead: 'The agent works in this folder.',
  leadRunning: 'The next run works in this folder. The current run and the recovery points of earlier runs keep theirs.',
  path: 'Path',
  empty: 'must not be empty',
  hint: 'Type a path, such as ~/projects/site',
  use: 'Use this folder',
  create: (path: string) => `Create ${path}`,
  createAndSend: 'Create it and send',
  cancel: 'Cancel',
  recent: 'Recent folders',
  inFolder: (path: string) => `Folders in ${path}`,
  parent: 'Parent folder',
  home: 'Home folder',
  hidden: (folders: number) => (folders === 0 ? 'Show hidden folders' : `Show hidden folders (${folders.toLocaleString(locale)})`),
  none: 'No folders here',
  noMatch: (typed: string) => `No folder begins with “${typed}”`,
  more: 'Show more',
  truncated: 'This folder has too many entries to list. Type the beginning of a name.',
  states: { available: '', missing: 'missing', unreadable: 'no permission' },
  link: (target: string) => `link to ${target}`,
  usedBy: (conversations: number) => count(conversations, 'conversation', 'conversations'),
  isNew: 'new',
  confirm: (path: string) => `Tandem can create the folder ${path} for your first conversations. Or choose one of your own.`,
  doing: { change: 'Couldn’t change the folder', list: 'Couldn’t list folders' },
} as const)
