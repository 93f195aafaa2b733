// System errors in plain words. Their names (ENOENT) mean nothing to most users, and their messages repeat paths and calls.

const texts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EDQUOT: 'the disk quota of this user is used up',
  EEXIST: 'it already exists',
  EHOSTUNREACH: 'the host cannot be reached',
  EFBIG: 'the file is too large for this disk',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENETUNREACH: 'the network cannot be reached',
  ENFILE: 'too many files are open',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTFOUND: 'there is no host of this name',
  EPERM: 'the operation is not permitted',
  EPIPE: 'the connection was closed',
  EROFS: 'the disk is read-only',
  ETIMEDOUT: 'the connection timed out',
  ERR_INVALID_ARG_VALUE: 'it contains a NUL character',
}

/** `otherwise` for an error that is not a system error, or not known here. */
export function systemErrorText(error: unknown, otherwise = 'the system reported an error'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return texts[code] ?? otherwise
}
