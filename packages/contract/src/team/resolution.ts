// How the conflicts of a merge are resolved. Choices become part of the arguments of the call, which the user then approves.
import type { CallPreview } from '../run/index.ts'
import { type ConflictChoice, conflictChoices } from './conflict.ts'
import type { MergeConflict, MergedFile } from './schema.ts'

export interface ConflictResolution {
  readonly conflict_id: string
  readonly use: ConflictChoice
  /** For `text`. */
  readonly text?: string
}

export type ConflictResolutions = ReadonlyMap<string, ConflictResolution>

type MergePreview = Extract<CallPreview, { kind: 'merge' }>

/** The arguments with these resolutions instead of earlier ones for the same conflicts. Broken arguments stay as they are. */
export function withResolutions(args: string, chosen: ConflictResolutions): string {
  const fields = fieldsOf(args)
  if (chosen.size === 0 || fields === null) return args
  const resolutions = new Map([...resolutionsIn(args), ...chosen])
  return JSON.stringify({ ...fields, resolutions: [...resolutions.values()] })
}

/** Those that are complete. */
export function resolutionsIn(args: string): ConflictResolutions {
  const { resolutions } = fieldsOf(args) ?? {}
  const found = Array.isArray(resolutions) ? resolutions.filter(isResolution) : []
  return new Map(found.map((one) => [one.conflict_id, one]))
}

export function conflictsOf(files: readonly MergedFile[]): readonly MergeConflict[] {
  return files.flatMap(({ conflicts }) => conflicts)
}

export interface OpenConflicts {
  readonly listed: readonly MergeConflict[]
  /** How many are in files that the preview does not list. */
  readonly unlisted: number
}

/** The conflicts that neither the preview nor the arguments resolve. */
export function openConflicts({ files, open_conflicts }: MergePreview, args: string): OpenConflicts {
  const resolved = resolutionsIn(args)
  const open = conflictsOf(files).filter((conflict) => conflict.resolved === null)
  return {
    listed: open.filter(({ conflict_id }) => !resolved.has(conflict_id)),
    unlisted: Math.max(0, open_conflicts - open.length),
  }
}

function fieldsOf(args: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    // The user is still editing it, or a model wrote it.
    return null
  }
}

function isResolution(value: unknown): value is ConflictResolution {
  if (typeof value !== 'object' || value === null) return false
  const { conflict_id, use, text } = value as Record<string, unknown>
  const isChoice = conflictChoices.some((choice) => choice === use)
  return typeof conflict_id === 'string' && isChoice && (use !== 'text' || typeof text === 'string')
}
