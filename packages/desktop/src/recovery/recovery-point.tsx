import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import { Badge } from '../part/badge.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { formatTimeWithSeconds } from '../text/time-of-day.ts'

type Named = Pick<CheckpointSummary, 'name' | 'tool'>

/** What the recovery point was created before. */
export function pointTitle({ name, tool }: Named): string {
  if (tool !== null) return recoveryWords.before(visibleName(tool))
  return name === 'safety_rollback_point' ? recoveryWords.beforeRestore : recoveryWords.onDemand
}

/** The targets of the call, relative to the workspace if they are in it. */
export function PointTargets({ point: { targets }, workspace }: { point: Pick<CheckpointSummary, 'targets'>; workspace: string | null }) {
  if (targets.length === 0) return null
  const names = targets.map((path) => (workspace !== null && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path))
  return <bdi className="block break-all font-mono text-[13px] text-soft">{names.map(visibleName).join(', ')}</bdi>
}

/** One color for the user's own points and the agent's calls, another for safety points. */
export function PointName({ name }: Pick<CheckpointSummary, 'name'>) {
  return <Badge tone={name === 'task_recovery_point' ? 'cloud' : 'desktop'}>{recoveryWords.names[name]}</Badge>
}

export function pointContents({ restore_kind, artifact_count, artifact_bytes, contents_deleted_at }: CheckpointSummary): string {
  if (contents_deleted_at !== null) return recoveryWords.contentsDeleted
  return `${recoveryWords.kinds[restore_kind]} · ${recoveryWords.kept(artifact_count, formatBytes(artifact_bytes))}`
}

/** When the point was closed, if a background command kept it open. */
export function closedText({ background }: Pick<CheckpointSummary, 'background'>): string | null {
  if (!background || background.closed_at === null) return null
  const at = formatTimeWithSeconds(background.closed_at)
  return background.late ? recoveryWords.closedLate(at) : recoveryWords.closed(at)
}

export function isOpen({ background }: Pick<CheckpointSummary, 'background'>): boolean {
  return background !== null && background.closed_at === null
}
