// What the disk says no to, by name. Not a refusal of ours: nothing was forbidden, it just can't be done.
import { FileFailure } from '../../call/failure.ts'

interface Row {
  readonly reason_code: string
  says(path: string): string
  readonly remedy: string
  readonly recoverability: 'retryable' | 'user_action'
}

const row = (reason_code: string, says: Row['says'], remedy: string, recoverability: Row['recoverability'] = 'retryable'): Row => ({
  reason_code,
  says,
  remedy,
  recoverability,
})

const denied = row(
  'permission_denied',
  (path) => `The operating system does not permit this on «${path}».`,
  'Change the permissions of the file or its folder, or choose another path.',
  'user_action',
)
const busyDescriptors = row(
  'too_many_open_files',
  () => 'Too many files are open at once.',
  'Try again when other calls have ended.',
  'retryable',
)

/** Each error number that a path can meet, and what it means for the caller. */
const table: Readonly<Record<string, Row>> = {
  ENOENT: row('not_found', (path) => `«${path}» does not exist.`, 'Look at the folder with fs.list, or create it first.'),
  EISDIR: row('is_a_directory', (path) => `«${path}» is a directory.`, 'Name a file in it.'),
  ENOTDIR: row('not_a_directory', (path) => `«${path}», or a part of it, is not a directory.`, 'Check the path with fs.list.'),
  EEXIST: row('already_exists', (path) => `«${path}» already exists.`, 'Choose another name, or say that it may be replaced.'),
  ENOTEMPTY: row('directory_not_empty', (path) => `The directory «${path}» is not empty.`, 'Say recursive, or empty it first.'),
  ENOSPC: row(
    'disk_full',
    (path) => `No space is left for «${path}». Nothing was changed.`,
    'Free some space and try again.',
    'user_action',
  ),
  EDQUOT: row('disk_full', (path) => `The disk quota is used up at «${path}». Nothing was changed.`, 'Free some space.', 'user_action'),
  EACCES: denied,
  EPERM: denied,
  EROFS: row(
    'read_only_file_system',
    (path) => `«${path}» is on a read-only file system.`,
    'Write to a folder on another file system.',
    'user_action',
  ),
  ENAMETOOLONG: row('name_too_long', (path) => `The name of «${path}» is too long.`, 'Use names of at most 255 bytes.'),
  ELOOP: row('link_loop', (path) => `The links at «${path}» go round in a circle.`, 'Name the file by its own path.'),
  EMFILE: busyDescriptors,
  ENFILE: busyDescriptors,
  EBUSY: row(
    'busy',
    (path) => `«${path}» is in use by the system (a mount point, or open elsewhere).`,
    'Close what uses it.',
    'user_action',
  ),
  ETXTBSY: row('busy', (path) => `«${path}» is a program that runs right now.`, 'Stop it first.', 'user_action'),
  EFBIG: row('too_large', (path) => `«${path}» would grow past what the file system can hold.`, 'Write less, or split it.'),
  EINVAL: row('invalid_operation', (path) => `This can't be done with «${path}».`, 'Check the paths: a folder can not go into itself.'),
  EIO: row('disk_error', (path) => `The disk failed while working on «${path}».`, 'Check the disk.', 'user_action'),
}

/** Our own names for what no error number says. */
const own = {
  changed_since_read: row(
    'changed_since_read',
    (path) => `«${path}» was changed by someone else in the meantime. It was left as it is.`,
    'Read it again and repeat the change on what stands there now.',
  ),
  broken_link: row(
    'broken_link',
    (path) => `«${path}» is a link to something that does not exist.`,
    'Delete the link, or write to its target by its own path.',
  ),
  needs_recursive: row('is_a_directory', (path) => `«${path}» is a directory.`, 'Say recursive to delete it with all it holds.'),
  into_itself: row('into_itself', (path) => `«${path}» lies inside what is to be moved.`, 'Choose a place outside of it.'),
  read_only_file: row(
    'permission_denied',
    (path) => `«${path}» is marked read-only.`,
    'Make it writable first if it is really meant to change.',
    'user_action',
  ),
} as const

export function fileFailure(reason: keyof typeof own, path: string): FileFailure {
  return fromRow(own[reason], path)
}

/** As if the system had said it. */
export function failureOf(code: 'ENOENT' | 'EEXIST' | 'EISDIR' | 'ENOTDIR', path: string): FileFailure {
  return fromRow(table[code] ?? denied, path)
}

/** Gives a system error its name and the path the caller knows; anything else goes on as it is. */
export function named(error: unknown, path: string): unknown {
  const code = errorCode(error)
  const known = code === undefined ? undefined : table[code]
  return known ? fromRow(known, path, error) : error
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function fromRow(known: Row, path: string, cause?: unknown): FileFailure {
  const subject = shown(path)
  return new FileFailure(known.reason_code, known.says(subject), {
    subject,
    remedy: known.remedy,
    recoverability: known.recoverability,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A path as it may stand in a message: no control characters, not endless. */
export function shown(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = path.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD')
  return clean.length > 300 ? `${clean.slice(0, 297)}...` : clean
}
