// What the reader does with a message: edit it, send it again, or branch from it. Outside of the thread, because its rows come and go.
import type { ListedMessage } from '@tandem/contract/command'
import { createStore, useStore } from '../store/store.ts'

export type BranchRequest =
  /** Another message in place of one of the user. */
  | { readonly kind: 'resend'; readonly message: ListedMessage; readonly text: string }
  /** Another answer to the message before this one. */
  | { readonly kind: 'regenerate'; readonly message: ListedMessage }
  | { readonly kind: 'branch'; readonly message: ListedMessage }

interface Branching {
  readonly editing: string | null
  readonly request: BranchRequest | null
}

const store = createStore<Branching>({ editing: null, request: null })

export function editMessage(message_id: string | null): void {
  store.change((state) => ({ ...state, editing: message_id }))
}

export function useIsEditing(message_id: string): boolean {
  return useStore(store, ({ editing }) => editing === message_id)
}

export function requestBranch(request: BranchRequest | null): void {
  store.change((state) => ({ ...state, request }))
}

export function useBranchRequest(): BranchRequest | null {
  return useStore(store, ({ request }) => request)
}
