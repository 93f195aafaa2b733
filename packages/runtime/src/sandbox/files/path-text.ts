// What a path says, before anything on disk is asked. Pure, so that every odd spelling stands in one test table.
import { posix, win32 } from 'node:path'
import { Refused } from '../../call/failure.ts'

export interface PathPlace {
  readonly workspace: string
  readonly platform: NodeJS.Platform
}

/** The absolute path that `text` names, links not yet resolved. Spellings that mean something else to some other part are refused by name. */
export function readPath(text: string, { workspace, platform }: PathPlace, attempted: 'read' | 'write'): string {
  const refuse = (message: string, remedy: string): never => {
    throw new Refused('invalid_path', message, { subject: shown(text), remedy, blocked_by: 'sandbox', attempted })
  }
  const path = platform === 'win32' ? win32 : posix
  if (text === '') refuse('The path is empty.', 'Name a file or folder; "." is the workspace.')
  if (text.includes('\0')) refuse('The path has a NUL character in it.', 'Leave the NUL character out.')
  if (!text.isWellFormed()) refuse('The path is not well-formed Unicode.', 'Name the path in plain characters.')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    refuse(`«${shown(text)}» is an address, not a path.`, 'Give the plain path, without file:// or another scheme.')
  }
  if (/^~(?:$|[\\/])/.test(text)) {
    refuse('«~» is not expanded here.', 'Give the full path, or one relative to the workspace; a file of that name is "./~".')
  }
  if (platform === 'win32') {
    const odd = oddOnWindows(text)
    if (odd) refuse(`«${shown(text)}» ${odd}.`, 'Use a plain file name.')
  }
  const absolute = path.resolve(workspace, text)
  if (platform === 'linux' && /^\/(?:proc|sys)(?:\/|$)/.test(absolute)) throw kernelPath(text, attempted)
  return absolute
}

/** Files of the kernel are doors to processes and devices, whatever folder a policy names. */
export function kernelPath(path: string, attempted: 'read' | 'write'): Refused {
  return new Refused('path_forbidden', `«${shown(path)}» belongs to the kernel: nothing there is a file of yours.`, {
    subject: shown(path),
    remedy: 'Name the file by its own path.',
    blocked_by: 'sandbox',
    attempted,
  })
}

/** Windows drops dots and spaces at the end of names, opens streams after a colon, and keeps device names. */
function oddOnWindows(text: string): string | null {
  if (/^[\\/]{2}/.test(text)) return 'is a network or device path'
  for (const segment of text.replace(/^[a-z]:/i, '').split(/[\\/]/)) {
    if (segment === '.' || segment === '..') continue
    if (/[. ]$/.test(segment)) return 'has a name that ends in a dot or a space'
    if (segment.includes(':')) return 'names a stream of a file'
    if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment)) return 'is the name of a device'
  }
  return null
}

/** A path as it may stand in a message: no control characters, not endless. */
export function shown(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = path.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD')
  return clean.length > 300 ? `${clean.slice(0, 297)}...` : clean
}
