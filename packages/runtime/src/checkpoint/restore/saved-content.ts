// The content that checkpoints saved of one path.
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { nullIfDamaged } from '../content/contents.ts'
import { packBefore } from '../store.ts'

export interface WantedContent {
  readonly path: string
  readonly size: number
  /** Milliseconds with their fraction. */
  readonly mtime: number
}

/** Of the first of these checkpoints that saved it in this version; null if none did. */
export function savedContent(
  keeper: CheckpointWriter,
  checkpoint_ids: readonly string[],
  { path, size, mtime }: WantedContent,
): Uint8Array | null {
  for (const checkpoint_id of checkpoint_ids) {
    const found = nullIfDamaged(() => {
      const image = keeper.manifest(packBefore(checkpoint_id)).images.get(path)
      if (image?.type !== 'file' || image.content === null || image.size !== size || image.mtime !== mtime) return null
      const parts: Buffer[] = []
      // Each part is only valid until the next one is read.
      for (const part of keeper.contents.read(image)) parts.push(Buffer.from(part))
      return Buffer.concat(parts)
    })
    if (found) return found
  }
  return null
}
