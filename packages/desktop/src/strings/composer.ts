// Texts of the composer about files, and of the search in messages.
import { translated } from '../language/language.ts'

export const writingWords = translated('composer', {
  attach: 'Attach files',
  attached: 'Attached files',
  attaching: (name: string) => `Attaching ${name}`,
  tooLarge: (name: string, most: number) => `${name} is larger than ${Math.floor(most / 1024 / 1024)} MiB and was not attached.`,
  tooMany: (most: number) => `You can attach up to ${most} files.`,
  unreadable: (name: string) => `${name} could not be read. Folders cannot be attached; attach their files instead.`,
  remove: (name: string) => `Remove ${name}`,
  drop: 'Drop to attach',
  onlyFiles: (names: string) => `See ${names}.`,
  files: 'Files',
  noFiles: 'No matching files',
  escape: 'Press Esc again to stop the run',
  keys: '@ to mention a file · / for commands and skills · ↑ for last message',
  picture: (name: string) => `Picture: ${name}`,
  notHere: 'The picture is no longer on this device.',
  find: 'Find in this conversation',
  found: (at: number, all: number) => (all === 0 ? 'No results' : `${at} of ${all}`),
  before: 'Previous match',
  next: 'Next match',
  search: 'Search conversations',
  nothing: (words: string) => `No results for “${words}”`,
  searching: 'Searching…',
  searchFailed: 'The search failed.',
  hidden: 'archived',
})
