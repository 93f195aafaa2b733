import { createContext, use } from 'react'
import { useStore } from '../store/store.ts'
import type { WindowState } from '../store/window-state.ts'
import type { Desk } from './desk.ts'

export const DeskContext = createContext<Desk | null>(null)

export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('a part of the window was drawn outside of it')
  return desk
}

/** `pick` must return the same value while its part of the state is unchanged. */
export function useWindow<Picked>(pick: (state: WindowState) => Picked): Picked {
  return useStore(useDesk().store, pick)
}
