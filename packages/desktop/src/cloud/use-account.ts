import { useCommand, useNewest } from '../desk/use-asked.ts'

export const syncChanges = /^sync_state_changed$/

/** Who is signed in, read anew whenever synchronization changes its state. */
export function useAccount() {
  const account = useCommand('account_show', {}, { version: useNewest(syncChanges) })
  return { ...account, signedIn: account.asked.state === 'ready' && account.asked.value.account !== null }
}
