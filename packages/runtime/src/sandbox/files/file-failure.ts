// Failures of the file system, by code. Nothing was forbidden by the sandbox.
import { FileFailure } from '../../call/failure.ts'

interface FailureRow {
  readonly reason_code: string
  says(path: string): string
  readonly remedy: string
  readonly recoverability: 'retryable' | 'user_action'
}

const row = (
  reason_code: string,
  says: FailureRow['says'],
  remedy: string,
  recoverability: FailureRow['recoverability'] = 'retryable',
): FailureRow => ({
  reason_code,
  says,
  remedy,
  recoverability,
})

const denied = row(
  'permission_denied',
  (path) => `The operating system does not permit this on "${path}".`,
  'Change the permissions of the file or its folder, or choose another path.',
  'user_action',
)
const busyDescriptors = row(
  'too_many_open_files',
  () => 'Too many files are open at once.',
  'Try again when other calls have ended.',
  'retryable',
)

/** Each error code that an operation on a path can have, and what it means for the caller. */
const table: Readonly<Record<string, FailureRow>> = {
  ENOENT: row('not_found', (path) => `"${path}" does not exist.`, 'List the folder with fs.list, or create it first.'),
  EISDIR: row('is_a_directory', (path) => `"${path}" is a folder.`, 'Use the path of a file in it.'),
  ENOTDIR: row('not_a_directory', (path) => `"${path}", or a part of it, is not a folder.`, 'Check the path with fs.list.'),
  EEXIST: row('already_exists', (path) => `"${path}" already exists.`, 'Choose another name, or allow it to be replaced.'),
  ENOTEMPTY: row(
    'directory_not_empty',
    (path) => `The folder "${path}" is not empty.`,
    'Set recursive to true, or empty the folder first.',
  ),
  ENOSPC: row(
    'disk_full',
    (path) => `There is no space left for "${path}". Nothing was changed.`,
    'Free some space and try again.',
    'user_action',
  ),
  EDQUOT: row(
    'disk_full',
    (path) => `The disk quota is used up at "${path}". Nothing was changed.`,
    'Free some space and try again.',
    'user_action',
  ),
  EACCES: denied,
  EPERM: denied,
  EROFS: row(
    'read_only_file_system',
    (path) => `"${path}" is on a read-only file system.`,
    'Write to a folder on another file system.',
    'user_action',
  ),
  ENAMETOOLONG: row('name_too_long', (path) => `The name of "${path}" is too long.`, 'Use names of at most 255 bytes.'),
  ELOOP: row('link_loop', (path) => `The links at "${path}" form a loop.`, 'Use the real path of the file.'),
  EMFILE: busyDescriptors,
  ENFILE: busyDescriptors,
  EBUSY: row(
    'busy',
    (path) => `"${path}" is in use by the system (a mount point, or open elsewhere).`,
    'Close the program that uses it.',
    'user_action',
  ),
  ETXTBSY: row('busy', (path) => `"${path}" is a program that is running.`, 'Stop it first.', 'user_action'),
  EFBIG: row('too_large', (path) => `"${path}" would be larger than the file system allows.`, 'Write less, or split the file.'),
  EINVAL: row(
    'invalid_operation',
    (path) => `This operation is not possible for "${path}".`,
    'Check the paths: a folder cannot be moved into itself.',
  ),
  EIO: row('disk_error', (path) => `The disk failed while working on "${path}".`, 'Check the disk.', 'user_action'),
}

/** Failures that have no error code. */
const own = {
  changed_since_read: row(
    'changed_since_read',
    (path) => `"${path}" was changed by another program in the meantime. It was not changed by this call.`,
    'Read it again and repeat the change with its current content.',
  ),
  broken_link: row(
    'broken_link',
    (path) => `"${path}" is a link to something that does not exist.`,
    'Delete the link, or use the path of its target.',
  ),
  needs_recursive: row('is_a_directory', (path) => `"${path}" is a folder.`, 'Set recursive to true to delete it with its contents.'),
  into_itself: row('into_itself', (path) => `"${path}" is inside the folder to move.`, 'Choose a target outside of it.'),
  read_only_file: row(
    'permission_denied',
    (path) => `"${path}" is marked read-only.`,
    'If you really want to change it, make it writable first.',
    'user_action',
  ),
} as const

export function fileFailure(reason: keyof typeof own, path: string): FileFailure {
  return fromRow(own[reason], path)
}

/** The failure for a system error code. */
export function systemFailure(code: 'ENOENT' | 'EEXIST' | 'EISDIR' | 'ENOTDIR', path: string): FileFailure {
  return fromRow(table[code] ?? denied, path)
}

/** Converts a system error to a failure with its code and the path as the caller gave it; returns any other error unchanged. */
export function asFileFailure(error: unknown, path: string): unknown {
  const code = errorCode(error)
  const known = code === undefined ? undefined : table[code]
  return known ? fromRow(known, path, error) : error
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function fromRow(known: FailureRow, path: string, cause?: unknown): FileFailure {
  const subject = displayPath(path)
  return new FileFailure(known.reason_code, known.says(subject), {
    subject,
    remedy: known.remedy,
    recoverability: known.recoverability,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A path for a message: without control characters, and shortened. */
export function displayPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced.
  const clean = path.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD')
  return clean.length > 300 ? `${clean.slice(0, 297)}...` : clean
}
