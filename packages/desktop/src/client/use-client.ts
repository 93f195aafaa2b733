import { createContext, use } from 'react'
import { useStore } from '../store/store.ts'
import type { WindowState } from '../store/window-state.ts'
import type { RuntimeClient } from './client.ts'

export const RuntimeClientContext = createContext<RuntimeClient | null>(null)

export function useRuntimeClient(): RuntimeClient {
  const client = use(RuntimeClientContext)
  if (!client) throw new Error('a part of the window was drawn outside of it')
  return client
}

/** `pick` must return the same value while its part of the state is unchanged. */
export function useWindowState<Picked>(pick: (state: WindowState) => Picked): Picked {
  return useStore(useRuntimeClient().store, pick)
}
