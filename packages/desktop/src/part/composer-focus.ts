// Sending opens another page, and what had the focus is gone: the composer of that page takes it.
import { goTo } from '../address.ts'

let isWanted = false

/** Opens a conversation to write in it. */
export function goToComposer(path: string): void {
  isWanted = true
  goTo(path)
}

/** The composer of the page that is open. */
export function focusComposer(): void {
  document.getElementById('composer')?.focus()
}

/** Opens a conversation to choose the model of its next run. */
export function goToModel(path: string): void {
  const model = location.pathname === path ? document.getElementById('composer-model') : null
  if (model) model.focus()
  else goToComposer(path)
}

/** Whether the composer that appears takes the focus. */
export function takeComposerFocus(): boolean {
  const wanted = isWanted
  isWanted = false
  return wanted
}
