import { useEffect } from 'react'
import { useAnswer } from '../desk/use-answer.ts'
import { useWindow } from '../desk/use-desk.ts'

/** Who is signed in, read anew whenever synchronization changes its state. */
export function useAccount() {
  const account = useAnswer('account_show', {})
  const { again } = account
  const changed = useSyncChanges()
  useEffect(() => {
    if (changed > 0) void again()
  }, [changed, again])
  return { ...account, signedIn: account.answer?.ok === true && account.answer.value.account !== null }
}

/** The number of the last event of synchronization: another one, and there is news. */
export function useSyncChanges(): number {
  return useWindow((state) => state.events.findLast(({ event }) => event.event === 'sync_state_changed')?.no ?? 0)
}
