// What a preview and a result say about points whose contents were deleted, and about calls without a point.
import type { CheckpointRow } from '../checkpoint-row.ts'
import { unpackChanges } from '../kept-changes/kept-changes.ts'
import type { Gap, MissingContents } from '../run-history.ts'

const editsNote =
  'Changes you made while a command of the run was running cannot be distinguished from those of the command. They are restored too; undo the restore to bring them back.'

const unknownNote =
  'Recovery points of this run were deleted, and it is not known what their calls changed. Those changes are neither listed nor restored.'

/** The first places of calls without a point. */
const placesShown = 5

export interface MissingNotes {
  readonly notes: readonly string[]
  /** The run changed something that is neither listed nor restored. */
  readonly isIncomplete: boolean
}

/** What to read before a restore that passes these points. */
export function notesFor(rows: readonly CheckpointRow[], missing: MissingContents): readonly string[] {
  const hasCommand = rows.some(({ opaque }) => opaque === 1) || missing.kept.some(({ by_command }) => by_command === 1)
  return [...(hasCommand ? [editsNote] : []), ...missingNotes(missing).notes]
}

export function missingNotes({ kept, gaps }: MissingContents): MissingNotes {
  const points = kept.filter((row) => {
    const changes = unpackChanges(row)
    return changes?.kind === 'states' && changes.paths.length > 0
  }).length
  const places = [...new Set(gaps.flatMap(placesOf))]
  const notes = [
    ...(points > 0 ? [contentsNote(points)] : []),
    ...(places.length > 0 ? [placesNote(places)] : []),
    ...(gaps.some((gap) => placesOf(gap).length === 0) ? [unknownNote] : []),
  ]
  return { notes, isIncomplete: gaps.length > 0 }
}

function contentsNote(points: number): string {
  const which =
    points === 1
      ? 'The saved contents of 1 later recovery point were deleted. The changes of its call are listed'
      : `The saved contents of ${points} later recovery points were deleted. The changes of their calls are listed`
  return `${which}; a file whose content was saved only there cannot be restored.`
}

function placesNote(places: readonly string[]): string {
  const more = places.length - placesShown
  const shown = `${places.slice(0, placesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Calls of this run have no recovery point. What they changed in these places is neither listed nor restored: ${shown}`
}

function placesOf({ kept }: Gap): readonly string[] {
  const changes = kept && unpackChanges(kept)
  return changes?.kind === 'places' ? changes.places : []
}
