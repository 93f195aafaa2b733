// Errors of the system in words. Their names (ENOENT) mean nothing to most users, and their messages repeat paths and calls.

const texts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota of this user is used up',
  EEXIST: 'it already exists',
  EFBIG: 'the file is too large for this disk',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
  ERR_INVALID_ARG_VALUE: 'the path contains a NUL character',
}

export function systemErrorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return texts[code] ?? 'the system reported an error'
}
