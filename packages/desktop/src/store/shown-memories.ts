// The run whose memories are shown. Outside of the thread: its rows come and go while the reader scrolls and while an answer streams in.
import { createStore, useStore } from './store.ts'

const store = createStore<string | null>(null)

export function showMemoriesOf(run_id: string | null): void {
  store.change(() => run_id)
}

export function useRunWithShownMemories(): string | null {
  return useStore(store, (run_id) => run_id)
}
