// A value with subscribers. It is outside of React, so that it exists before the first page and after the last.
import { useSyncExternalStore } from 'react'

export interface Store<State> {
  get(): State
  change(next: (state: State) => State): void
  subscribe(notify: () => void): () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    change(next) {
      const changed = next(state)
      if (changed === state) return
      state = changed
      for (const notify of listeners) notify()
    },
    subscribe(notify) {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
  }
}

/** `pick` must return the same value while its part of the state is unchanged. */
export function useStore<State, Picked>(store: Store<State>, pick: (state: State) => Picked): Picked {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
