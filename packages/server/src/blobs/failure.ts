export class StorageUnavailable extends Error {
  readonly code = 'storage_unavailable'
  override readonly name = 'StorageUnavailable'
  /** It is reachable but denies access: the key is wrong, or lacks a permission. */
  readonly refused: boolean

  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.refused = status === 401 || status === 403
  }
}

export class BlobTooLarge extends Error {
  readonly code = 'blob_too_large'
  override readonly name = 'BlobTooLarge'
  /** Undefined if the storage refused it because of its own limit. */
  readonly max_bytes: number | undefined

  constructor(maxBytes?: number) {
    super(maxBytes === undefined ? 'larger than the file storage accepts' : `larger than ${maxBytes} bytes`)
    this.max_bytes = maxBytes
  }
}

/** An error of the caller's source is thrown unchanged; any other error while storing is one of the storage. */
export function storageFailure(doing: string, cause: unknown): StorageUnavailable | BlobTooLarge {
  if (cause instanceof StorageUnavailable || cause instanceof BlobTooLarge) return cause
  return new StorageUnavailable(`${doing}: ${describe(cause)}`, { cause })
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // fetch reports only "fetch failed"; the reason is in its cause.
  return cause.cause instanceof Error ? describe(cause.cause) : cause.message
}
