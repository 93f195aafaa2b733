// One path of a checkpoint. The pack lists only paths; this adds the checkpoint they belong to.
import { createHash } from 'node:crypto'
import type { CheckpointArtifact } from '@tandem/contract/checkpoint'
import { timestamp } from '../../clock/clock.ts'
import type { CheckpointRow } from '../checkpoint-row.ts'
import type { ArtifactOutline } from '../engine.ts'
import type { PageOfItems } from '../restore/page.ts'

export interface ArtifactPage {
  readonly items: readonly CheckpointArtifact[]
  readonly next_cursor: string | null
}

export function artifactPage(
  { checkpoint_id, run_id, created_at }: CheckpointRow,
  { items, next }: PageOfItems<ArtifactOutline>,
): ArtifactPage {
  const artifacts = items.map(
    (outline): CheckpointArtifact => ({
      artifact_id: artifactId(checkpoint_id, outline.path),
      checkpoint_id,
      run_id,
      created_at: timestamp(created_at),
      ...outline,
    }),
  )
  return { items: artifacts, next_cursor: next === null ? null : String(next) }
}

/** A UUIDv7 with the checkpoint's time that is always the same for the same path, so that it need not be stored. */
function artifactId(checkpoint_id: string, path: string): string {
  const hash = createHash('sha256').update(`${checkpoint_id}\n${path}`).digest('hex')
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return `${checkpoint_id.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
