export class StorageUnavailable extends Error {
  readonly code = 'storage_unavailable'
  override readonly name = 'StorageUnavailable'
  /** It is there and does not let us in: the key is wrong, or may not do this. */
  readonly refused: boolean

  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.refused = status === 401 || status === 403
  }
}

export class BlobTooLarge extends Error {
  readonly code = 'blob_too_large'
  override readonly name = 'BlobTooLarge'
  /** Undefined when the storage refused it by a limit of its own. */
  readonly max_bytes: number | undefined

  constructor(maxBytes?: number) {
    super(maxBytes === undefined ? 'larger than the file storage accepts' : `larger than ${maxBytes} bytes`)
    this.max_bytes = maxBytes
  }
}

/** What the caller's own source did wrong is his; everything else that goes wrong while storing is the storage's. */
export function storageFailure(doing: string, cause: unknown): StorageUnavailable | BlobTooLarge {
  if (cause instanceof StorageUnavailable || cause instanceof BlobTooLarge) return cause
  return new StorageUnavailable(`${doing}: ${describe(cause)}`, { cause })
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // fetch says only «fetch failed»; why stands in its cause.
  return cause.cause instanceof Error ? describe(cause.cause) : cause.message
}
