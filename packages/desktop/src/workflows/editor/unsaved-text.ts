// The text of a workflow that was not saved. It stays when the user leaves the page, until it is saved or discarded.
import { keepDraft, readDraft } from '../../store/draft.ts'

export interface UnsavedText {
  readonly text: string
  /** The stored version that it changes; null for a new workflow. */
  readonly version: number | null
}

/** `of` is a workflow, or what a new one begins with. */
export function readUnsavedText(of: string): UnsavedText | null {
  const kept = readDraft(placeOf(of))
  const [, version = '', text] = /^(\d*)\n(.*)$/s.exec(kept) ?? []
  return text === undefined ? null : { text, version: version === '' ? null : Number(version) }
}

export function keepUnsavedText(of: string, unsaved: UnsavedText | null): void {
  keepDraft(placeOf(of), unsaved === null ? '' : `${unsaved.version ?? ''}\n${unsaved.text}`)
}

function placeOf(of: string): string {
  return `workflow.${of}`
}
