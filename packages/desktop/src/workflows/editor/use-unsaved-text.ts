import { useState } from 'react'
import { keepUnsavedText, readUnsavedText, type UnsavedText } from './unsaved-text.ts'

interface Edited extends UnsavedText {
  /** Whether it was kept from an earlier visit, and not discarded since. */
  readonly isRestored: boolean
}

/** The text in the editor: at first what was not saved the last time, or else `saved`. */
export function useUnsavedText(of: string, saved: UnsavedText) {
  const [edited, setEdited] = useState<Edited>(() => {
    const kept = readUnsavedText(of)
    return kept === null || kept.text === saved.text ? { ...saved, isRestored: false } : { ...kept, isRestored: true }
  })
  const change = (next: Partial<Edited>) => {
    const changed = { ...edited, ...next }
    setEdited(changed)
    keepUnsavedText(of, changed.text === saved.text ? null : { text: changed.text, version: changed.version })
  }
  return {
    ...edited,
    setText: (text: string) => change({ text }),
    setVersion: (version: number) => change({ version }),
    discard: () => change({ ...saved, isRestored: false }),
    forget: () => keepUnsavedText(of, null),
  }
}
