// Where the bytes of a file are stored. It contains nothing that a user has chosen.

export function blobKey(userId: string, fileId: string): string {
  return `${userId}/${fileId}`
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const pattern = new RegExp(`^(${uuid})/(${uuid})$`)

/** Undefined for a key that is not ours. */
export function ownerOf(key: string): { readonly user_id: string; readonly file_id: string } | undefined {
  const [, user_id, file_id] = pattern.exec(key) ?? []
  return user_id === undefined || file_id === undefined ? undefined : { user_id, file_id }
}

/** When the upload started: a UUIDv7 contains the time. */
export function startedAt(fileId: string): number {
  return Number.parseInt(fileId.replace('-', '').slice(0, 12), 16)
}
