// The message whose correction is open. Outside of the thread: its rows come and go while the reader scrolls and while an answer streams in.
import type { ListedMessage } from '@tandem/contract/command'
import { createStore, useStore } from '../../store/store.ts'

const store = createStore<ListedMessage | null>(null)

export function correct(message: ListedMessage | null): void {
  store.change(() => message)
}

export function useCorrected(): ListedMessage | null {
  return useStore(store, (message) => message)
}
