// Conversations in which a run ended or stopped while the user was elsewhere. Stored in this browser: the mark survives a reload, and all its
// windows agree.
import { useWindowState } from '../client/use-client.ts'
import { createStore, useStore } from '../store/store.ts'

const key = 'tandem.unseen'
const most = 500
const store = createStore<ReadonlySet<string>>(stored())

export function useIsUnseen(conversation_ids: readonly string[]): boolean {
  return useStore(store, (unseen) => conversation_ids.some((id) => unseen.has(id)))
}

/** Without those that are no longer in the list. */
export function useUnseenCount(): number {
  const unseen = useStore(store, (all) => all)
  return useWindowState(({ conversations }) => {
    const listed = [...unseen].filter((id) => conversations?.get(id)?.hidden === false)
    return listed.length
  })
}

export function markUnseen(conversation_id: string): void {
  const rest = [...store.get()].filter((id) => id !== conversation_id)
  save(new Set([...rest, conversation_id].slice(-most)))
}

export function markSeen(conversation_id: string): void {
  if (store.get().has(conversation_id)) save(new Set([...store.get()].filter((id) => id !== conversation_id)))
}

/** Until the returned function is called, changes of other windows are read. */
export function followOtherWindows(): () => void {
  const read = (event: StorageEvent) => {
    if (event.key === key) store.change(() => stored())
  }
  addEventListener('storage', read)
  return () => removeEventListener('storage', read)
}

function save(unseen: ReadonlySet<string>): void {
  store.change(() => unseen)
  try {
    localStorage.setItem(key, JSON.stringify([...unseen]))
  } catch (error) {
    console.warn('marks of conversations cannot be saved', error)
  }
}

function stored(): ReadonlySet<string> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(found) ? found.filter((id) => typeof id === 'string') : [])
  } catch (error) {
    console.warn('marks of conversations cannot be read', error)
    return new Set()
  }
}
