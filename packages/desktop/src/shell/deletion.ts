// What the user is asked before conversations are deleted, and the notice that offers to restore them. Outside of React: the line that
// asked is gone when they are deleted.
import { createStore, useStore } from '../store/store.ts'

export interface DeletionRequest {
  readonly conversation_ids: readonly string[]
  /** Of the first one. */
  readonly title: string
}

export interface DeletionNotice {
  /** Those that the user chose: what belongs to them is restored with them. */
  readonly conversation_ids: readonly string[]
}

const requests = createStore<DeletionRequest | null>(null)
const notices = createStore<DeletionNotice | null>(null)

export const askToDelete = (request: DeletionRequest | null) => requests.change(() => request)
export const useDeletionRequest = () => useStore(requests, (state) => state)
export const showDeleted = (notice: DeletionNotice | null) => notices.change(() => notice)
export const useDeletionNotice = () => useStore(notices, (state) => state)
